#include "gen/report_text.h"

#include <stdlib.h>
#include <string.h>

enum { SHOWN_COLUMNS = 100, SHOWN_BEFORE = 60 };

static const char *const level_names[] = {"error", "warning", "note"};
static const char *const level_colours[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};

struct text {
    char *bytes; /* zero-terminated */
    size_t size, room;
    bool failed;
};

static void put_bytes(struct text *out, const char *bytes, size_t size) {
    if (out->size + size + 1 > out->room) {
        size_t room = (out->size + size + 1) * 2;
        char *more = realloc(out->bytes, room);
        if (!more) {
            out->failed = true;
            return;
        }
        out->bytes = more;
        out->room = room;
    }
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
    out->bytes[out->size] = '\0';
}

static void put_char(struct text *out, char c) {
    put_bytes(out, &c, 1);
}

static void put(struct text *out, const char *words) {
    put_bytes(out, words, strlen(words));
}

static void put_number(struct text *out, int64_t n) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)n);
    put(out, digits);
}

/* What came from a file must not steer the terminal: control characters, one byte (C0, DEL) or two of UTF-8
 * (C1: 0x9b begins sequences as ESC [ does). Bytes to take in its place, 0: it is plain. */
static size_t steers(const char *text, size_t left) {
    unsigned char c = (unsigned char)text[0], next = left > 1 ? (unsigned char)text[1] : 0;
    if (c == 0xc2 && next >= 0x80 && next < 0xa0)
        return 2;
    return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
}

static void put_safe(const char *text, size_t size, struct text *out) {
    for (size_t i = 0; i < size;) {
        size_t bytes = steers(text + i, size - i);
        put_char(out, bytes ? '?' : text[i]);
        i += bytes ? bytes : 1;
    }
}

static void put_head(enum report_level level, const char *file, int32_t line, int32_t column,
                     const char *message, bool colour, struct text *out) {
    const char *reset = colour ? "\033[0m" : "";
    if (file && file[0]) {
        put(out, colour ? "\033[1m" : "");
        put_safe(file, strlen(file), out);
        if (line > 0) {
            put_char(out, ':');
            put_number(out, line);
        }
        if (line > 0 && column > 0) {
            put_char(out, ':');
            put_number(out, column);
        }
        put(out, ":");
        put(out, reset);
        put(out, " ");
    }
    put(out, colour ? level_colours[level] : "");
    put(out, level_names[level]);
    put(out, ":");
    put(out, reset);
    put(out, " ");
    message = message ? message : "(no memory for the message)";
    put_safe(message, strlen(message), out);
    put_char(out, '\n');
}

/* Byte offset of character `index` (0-based) of UTF-8 text, at most size. */
static size_t character_at(const char *text, size_t size, int32_t index) {
    size_t at = 0;
    while (at < size && index > 0) {
        at++;
        while (at < size && ((unsigned char)text[at] & 0xc0) == 0x80)
            at++;
        index--;
    }
    return at;
}

static void put_source(const struct report_item *item, bool colour, struct text *out) {
    const char *text = item->source;
    size_t size = strlen(text);
    int32_t column = item->column > 0 ? item->column - 1 : 0;
    int32_t first = column > SHOWN_BEFORE ? column - SHOWN_BEFORE : 0;
    size_t from = character_at(text, size, first);
    size_t to = from + character_at(text + from, size - from, SHOWN_COLUMNS);
    size_t caret = character_at(text, size, column);
    put(out, first > 0 ? "  ..." : "  ");
    put_safe(text + from, to - from, out);
    put(out, to < size ? "...\n" : "\n");
    if (item->column < 1)
        return;
    put(out, first > 0 ? "     " : "  ");
    for (size_t i = from; i < caret; i++) /* tabs stay tabs, so that the caret stands under its character */
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            put_char(out, text[i] == '\t' ? '\t' : ' ');
    put(out, colour ? "\033[1;32m^\033[0m\n" : "^\n");
}

static int compare_files(const struct report_item *a, const struct report_item *b) {
    return strcmp(a->file ? a->file : "", b->file ? b->file : "");
}

struct order {
    size_t file; /* index of the file's first item */
    const struct report_item *item;
    size_t index;
};

static int by_place(const void *a, const void *b) {
    const struct order *p = a, *q = b;
    if (p->file != q->file)
        return p->file < q->file ? -1 : 1;
    if (p->item->line != q->item->line)
        return p->item->line < q->item->line ? -1 : 1;
    if (p->item->column != q->item->column)
        return p->item->column < q->item->column ? -1 : 1;
    return p->index < q->index ? -1 : 1;
}

static void put_report(const struct report *report, bool colour, struct text *out) {
    struct order *order = report->count ? malloc(report->count * sizeof *order) : NULL;
    for (size_t i = 0; order && i < report->count; i++) {
        order[i] = (struct order){i, report->items + i, i};
        for (size_t j = i; j-- > 0;)
            if (compare_files(order[j].item, order[i].item) == 0) {
                order[i].file = order[j].file;
                break;
            }
    }
    if (order)
        qsort(order, report->count, sizeof *order, by_place);
    for (size_t i = 0; i < report->count; i++) {
        const struct report_item *item = order ? order[i].item : report->items + i;
        put_head(item->level, item->file, item->line, item->column, item->message, colour, out);
        if (item->source)
            put_source(item, colour, out);
    }
    if (report->dropped) {
        put(out, "(not shown: ");
        put_number(out, (int64_t)report->dropped);
        put(out, " more)\n");
    }
    free(order);
}

static void flush(struct text *text, FILE *out) {
    if (text->bytes)
        fwrite(text->bytes, 1, text->size, out);
    free(text->bytes);
}

void report_print(const struct report *report, bool colour, FILE *out) {
    struct text text = {0};
    put_report(report, colour, &text);
    flush(&text, out);
}

char *report_render(const struct report *report, bool colour) {
    struct text text = {0};
    put(&text, "");
    put_report(report, colour, &text);
    if (text.failed) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}

void report_print_error(const struct error *err, bool colour, FILE *out) {
    struct text text = {0};
    put_head(REPORT_ERROR, err->file, err->line, err->column, err->message, colour, &text);
    flush(&text, out);
}

void report_put_safe(const char *words, FILE *out) {
    struct text text = {0};
    put_safe(words, strlen(words), &text);
    flush(&text, out);
}
