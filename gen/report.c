#include "gen/report.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct report_text {
    char *file, *text;
    size_t size;
};

enum { SOURCE_LINE_MAX = 4096 };

void report_free(struct report *report) {
    for (size_t i = 0; i < report->count; i++) {
        free(report->items[i].file);
        free(report->items[i].message);
        free(report->items[i].source);
    }
    for (size_t i = 0; i < report->text_count; i++) {
        free(report->texts[i].file);
        free(report->texts[i].text);
    }
    free(report->items);
    free(report->texts);
    *report = (struct report){0};
}

void report_source(struct report *report, const char *file, const char *text, size_t size) {
    struct report_text *more = realloc(report->texts, (report->text_count + 1) * sizeof *more);
    if (!more)
        return;
    report->texts = more;
    struct report_text *t = more + report->text_count;
    t->file = strdup(file);
    t->text = malloc(size + 1);
    t->size = size;
    if (!t->file || !t->text) {
        free(t->file);
        free(t->text);
        return;
    }
    if (size)
        memcpy(t->text, text, size);
    report->text_count++;
}

/* The text of a line, from the file as it was read last. None for a place far out in a long line (a file
 * without line ends). */
static char *source_line(const struct report *report, const char *file, int32_t line, int32_t column) {
    if (!file || line < 1 || column > SOURCE_LINE_MAX / 4)
        return NULL;
    const struct report_text *t = NULL;
    for (size_t i = report->text_count; i-- > 0 && !t;)
        if (strcmp(report->texts[i].file, file) == 0)
            t = report->texts + i;
    if (!t)
        return NULL;
    const char *at = t->text, *end = t->text + t->size;
    for (int32_t n = 1; n < line; n++) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            return NULL;
        at++;
    }
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t size = (size_t)((stop ? stop : end) - at);
    if (size > 0 && at[size - 1] == '\r')
        size--;
    if (size > SOURCE_LINE_MAX)
        size = SOURCE_LINE_MAX;
    char *copy = malloc(size + 1);
    if (copy) {
        memcpy(copy, at, size);
        copy[size] = '\0';
    }
    return copy;
}

static int severity(enum status status) {
    return status == STATUS_FAULT   ? 4
           : status == STATUS_LIMIT ? 3
           : status == STATUS_FILE  ? 2
           : status == STATUS_USAGE ? 0
                                    : 1;
}

static struct report_item *new_item(struct report *report) {
    if (report->count >= REPORT_ITEMS_MAX)
        return NULL;
    if (report->count == report->room) {
        size_t room = report->room ? report->room * 2 : 16;
        struct report_item *more = realloc(report->items, room * sizeof *more);
        if (!more)
            return NULL;
        report->items = more;
        report->room = room;
    }
    struct report_item *item = report->items + report->count++;
    *item = (struct report_item){0};
    return item;
}

void report_add(struct report *report, enum report_level level, enum status status, const char *file,
                int32_t line, int32_t column, const char *format, ...) {
    if (status == STATUS_INPUT && file && strcmp(file, "--set") == 0)
        status = STATUS_USAGE; /* no file is wrong: the command line is */
    if (level == REPORT_ERROR) {
        report->errors++;
        if (report->worst == STATUS_OK || severity(status) > severity(report->worst))
            report->worst = status;
    } else if (level == REPORT_WARNING) {
        report->warnings++;
    }
    struct report_item *item = new_item(report);
    if (!item) {
        report->dropped++;
        return;
    }
    char text[ERROR_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    item->level = level;
    item->status = status;
    item->file = file && file[0] ? strdup(file) : NULL;
    item->line = line;
    item->column = column;
    item->message = strdup(text);
    item->source = source_line(report, file, line, column);
}

void report_error(struct report *report, const struct error *err) {
    report_add(report, REPORT_ERROR, err->status, err->file, err->line, err->column, "%s", err->message);
}

void report_extend(struct report *report, size_t item, const char *format, ...) {
    char text[ERROR_MESSAGE_MAX];
    char *message = item < report->count ? report->items[item].message : NULL;
    if (!message)
        return;
    size_t size = (size_t)snprintf(text, sizeof text, "%s", message);
    va_list args;
    va_start(args, format);
    if (size < sizeof text)
        vsnprintf(text + size, sizeof text - size, format, args);
    va_end(args);
    char *longer = strdup(text);
    if (!longer)
        return;
    free(message);
    report->items[item].message = longer;
}

static bool same_item(const struct report_item *a, const struct report_item *b) {
    return a->line == b->line && a->column == b->column && a->level == b->level && a->message && b->message &&
           strcmp(a->file ? a->file : "", b->file ? b->file : "") == 0 && strcmp(a->message, b->message) == 0;
}

void report_drop_repeats(struct report *report, size_t from) {
    size_t kept = from < report->count ? from : report->count;
    for (size_t i = kept; i < report->count; i++) {
        struct report_item item = report->items[i];
        bool again = false;
        for (size_t k = from; k < kept && !again; k++)
            again = same_item(&report->items[k], &item);
        if (!again) {
            report->items[kept++] = item;
            continue;
        }
        report->errors -= item.level == REPORT_ERROR;
        report->warnings -= item.level == REPORT_WARNING;
        free(item.file);
        free(item.message);
        free(item.source);
    }
    report->count = kept;
}

enum status report_status(const struct report *report) {
    return report->worst;
}

enum { SUGGEST_MAX = 64 };

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Optimal string alignment distance (Damerau 1964, without edits inside a swapped pair). */
static int distance(const char *a, size_t n, const char *b, size_t m) {
    int row[3][SUGGEST_MAX + 1];
    for (size_t j = 0; j <= m; j++)
        row[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++) {
        int *now = row[i % 3], *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= m; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            int best = last[j - 1] + (x != y);
            if (last[j] + 1 < best)
                best = last[j] + 1;
            if (now[j - 1] + 1 < best)
                best = now[j - 1] + 1;
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

const char *report_suggest(const char *name, const char *const *names, size_t count) {
    size_t n = strlen(name);
    if (n == 0 || n > SUGGEST_MAX)
        return NULL;
    int best = (int)(n < 6 ? (n + 1) / 3 : n / 3) + 1;
    const char *near = NULL, *begun = NULL;
    bool several = false;
    for (size_t i = 0; i < count; i++) {
        size_t m = strlen(names[i]);
        if (m == 0 || m > SUGGEST_MAX)
            continue;
        if (n >= 3 && m > n && distance(name, n, names[i], n) == 0) {
            several = begun != NULL;
            begun = names[i];
        }
        int d = distance(name, n, names[i], m);
        if (d < best && d < (int)m) {
            best = d;
            near = names[i];
        }
    }
    return near ? near : several ? NULL : begun;
}
