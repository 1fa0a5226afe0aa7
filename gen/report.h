/* Owns the list of what is wrong with an input: every mistake in one go, each with its place, so that `check`
 * can print file:line:column, the line and a caret. Prints nothing itself (gen/report_text.h does). */
#ifndef GEN_REPORT_H
#define GEN_REPORT_H
#include "terrain/status.h"
#include <stddef.h>
#include <stdint.h>

enum report_level { REPORT_ERROR, REPORT_WARNING, REPORT_NOTE };
enum { REPORT_ITEMS_MAX = 10000 }; /* kept; more are only counted */

struct report_item {
    enum report_level level;
    enum status status;   /* STATUS_INPUT (from --set: STATUS_USAGE), STATUS_FILE or STATUS_LIMIT */
    char *file;           /* may be NULL */
    int32_t line, column; /* 1-based, 0 unknown; columns count characters, a tab is one */
    char *message;        /* NULL when there was no memory for it */
    char *source;         /* the text of that line without its end, or NULL */
};

struct report {
    struct report_item *items;
    size_t count, room;
    size_t errors, warnings;
    size_t dropped; /* items that were only counted */
    enum status worst;
    /* texts of files that were read, for the source lines */
    struct report_text *texts;
    size_t text_count;
};

/* Frees what a report holds and empties it. A report starts as {0}. */
void report_free(struct report *report);
/* Remembers a file's text (copied), so that later items can show its lines. */
void report_source(struct report *report, const char *file, const char *text, size_t size);
/* file may be NULL; line and column 0 when unknown. Out of memory drops the text but keeps the counts. */
void report_add(struct report *report, enum report_level level, enum status status, const char *file,
                int32_t line, int32_t column, const char *format, ...) PRINTF_LIKE(7, 8);
/* Adds what a call returned in err. */
void report_error(struct report *report, const struct error *err);
/* Adds to an item's message; nothing where it has none or was only counted. */
void report_extend(struct report *report, size_t item, const char *format, ...) PRINTF_LIKE(3, 4);
/* Drops items behind the first `from` that say at the same place what an earlier one of them says, and counts
 * them no more. */
void report_drop_repeats(struct report *report, size_t from);
/* The worst status of the errors: what the program exits with. STATUS_OK without errors. */
enum status report_status(const struct report *report);

/* "did you mean": the nearest of count names by edit distance (insert, delete, replace, swap of neighbours;
 * a third of the name's letters at most), or the only one that the name begins. NULL when none is near
 * enough. Upper and lower case count as the same letter. */
const char *report_suggest(const char *name, const char *const *names, size_t count);

#endif
