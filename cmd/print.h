/* Owns how commands talk to people: errors, notes and the progress bar on stderr; colour only on a terminal
 * and not when NO_COLOR is set. */
#ifndef CMD_PRINT_H
#define CMD_PRINT_H
#include "gen/report.h"
#include "terrain/status.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

void print_setup(bool quiet); /* before anything else */
bool print_quiet(void);

/* "error: message", or "file:line:column: error: message". */
void print_failure(const struct error *err);
/* A command's result on stdout. Here and below what came from files (paths, names of assets) does not steer
 * the terminal: control characters become '?'. */
void print_out(const char *format, ...) PRINTF_LIKE(1, 2);
/* A line on stderr, unless --quiet. */
void print_note(const char *format, ...) PRINTF_LIKE(1, 2);
/* A report: all of it, or its errors only when --quiet. */
void print_report(const struct report *report);
/* The same without its notes. */
void print_warnings(const struct report *report);

/* On stdout, two spaces a level; the reference is taken over. */
void print_json(json_t *root);

/* 1234567 -> "1 234 567"; 2, "map" -> "2 maps"; bytes -> "12.3 MiB". Return out. */
char *print_count(int64_t n, char out[32]);
char *print_many(int64_t n, const char *what, char out[32]);
char *print_bytes(double bytes, char out[32]);

#endif
