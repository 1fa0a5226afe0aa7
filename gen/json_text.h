/* Owns how numbers and JSON become text: the shortest decimals that read back as the same numbers, whole ones
 * without a point. The same value is the same text, byte for byte, everywhere. */
#ifndef GEN_JSON_TEXT_H
#define GEN_JSON_TEXT_H
#include <jansson.h>
#include <stdbool.h>

/* v as text; finite. Returns out. */
char *number_text(double v, char out[32]);
/* A double whose shortest text is the float's: 0.1f is 0.1, not 0.10000000149011612. */
double number_of_float(float v);

/* Any JSON, a newline at its end; `indent` spaces a level, or JSON_TEXT_COMPACT: no white space at all; keys
 * sorted by their bytes, or in the order of their making. free'd by the caller; NULL: out of memory, or a
 * text that is not UTF-8. */
enum { JSON_TEXT_COMPACT = -1 };
char *json_text(const json_t *root, int indent, bool sorted);

#endif
