/* Owns how a report looks as text:
 *   file:line:column: error: message
 *     the source line
 *     ^
 * Long lines are cut around the place; control characters become '?'. */
#ifndef GEN_REPORT_TEXT_H
#define GEN_REPORT_TEXT_H
#include "gen/report.h"
#include <stdbool.h>
#include <stdio.h>

/* Items by file (in the order in which the files first appear), then by line and column, then as added. */
void report_print(const struct report *report, bool colour, FILE *out);
/* The same as a string, freed by the caller; NULL when out of memory. */
char *report_render(const struct report *report, bool colour);
/* One line as above, without source and caret. */
void report_print_error(const struct error *err, bool colour, FILE *out);
/* Words, some of which may come from files, in this way. */
void report_put_safe(const char *words, FILE *out);

#endif
