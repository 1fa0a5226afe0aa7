#include "cmd/print.h"

#include "gen/json_text.h"
#include "gen/os.h"
#include "gen/report_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool be_quiet;

void print_setup(bool quiet) {
    be_quiet = quiet;
}

bool print_quiet(void) {
    return be_quiet;
}

/* Whether stderr has colours. */
static bool print_colour(void) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return os_is_terminal(stderr) && !(no && *no) && !(term && strcmp(term, "dumb") == 0);
}

void print_failure(const struct error *err) {
    report_print_error(err, print_colour(), stderr);
}

static void put(FILE *out, const char *format, va_list args) PRINTF_LIKE(2, 0);
static void put(FILE *out, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text) {
        vsnprintf(text, (size_t)size + 1, format, again);
        report_put_safe(text, out);
    }
    va_end(again);
    free(text);
}

void print_out(const char *format, ...) {
    va_list args;
    va_start(args, format);
    put(stdout, format, args);
    va_end(args);
}

void print_note(const char *format, ...) {
    if (be_quiet)
        return;
    va_list args;
    va_start(args, format);
    put(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

/* Items of this level and worse; errors of a quiet program in one line each. */
static void print_some(const struct report *report, enum report_level level) {
    struct report some = {0};
    for (size_t i = 0; i < report->count; i++) {
        const struct report_item *item = &report->items[i];
        if (item->level > level)
            continue;
        report_add(&some, item->level, item->status, item->file, item->line, item->column, "%s",
                   item->message ? item->message : "out of memory");
        if (!be_quiet && item->source && some.count > 0)
            some.items[some.count - 1].source = strdup(item->source);
    }
    report_print(&some, print_colour(), stderr);
    report_free(&some);
}

void print_report(const struct report *report) {
    if (be_quiet)
        print_some(report, REPORT_ERROR);
    else
        report_print(report, print_colour(), stderr);
}

void print_warnings(const struct report *report) {
    print_some(report, be_quiet ? REPORT_ERROR : REPORT_WARNING);
}

void print_json(json_t *root) {
    char *text = json_text(root, 2, false);
    fputs(text ? text : "null\n", stdout);
    free(text);
    json_decref(root);
}

char *print_count(int64_t n, char out[32]) {
    char digits[32];
    int size = snprintf(digits, sizeof digits, "%" PRId64, n), at = 0;
    for (int i = 0; i < size; i++) {
        out[at++] = digits[i];
        int left = size - 1 - i;
        if (left > 0 && left % 3 == 0 && digits[i] != '-')
            out[at++] = ' ';
    }
    out[at] = '\0';
    return out;
}

char *print_many(int64_t n, const char *what, char out[32]) {
    char count[32];
    print_count(n, count);
    snprintf(out, 32, "%s %s%s", count, what, n == 1 ? "" : "s");
    return out;
}

char *print_bytes(double bytes, char out[32]) {
    const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (bytes >= 1024 && unit < 4) {
        bytes /= 1024;
        unit++;
    }
    snprintf(out, 32, "%.*f %s", unit ? 1 : 0, bytes, units[unit]);
    return out;
}
