/* Owns where values stand in a JSON text, which jansson does not keep: small steps over a text that a parser
 * has accepted. Any other text is walked without harm, but may find nothing. */
#ifndef GEN_JSON_PLACE_H
#define GEN_JSON_PLACE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_text {
    const char *text;
    size_t size;
    size_t mark; /* where lines and columns were counted to, see json_mark */
    int32_t mark_line, mark_column;
};

/* A position is the offset of a value's first character; JSON_NOWHERE goes through all of these. */
#define JSON_NOWHERE SIZE_MAX
size_t json_root(const struct json_text *t);
/* The first element of the array at `at`, the element behind the one at `at`; JSON_NOWHERE: none. */
size_t json_first(const struct json_text *t, size_t at);
size_t json_next(const struct json_text *t, size_t at);
/* The value of a key (plain text, without escapes) of the object at `at`. */
size_t json_member(const struct json_text *t, size_t at, const char *key);
/* In nested arrays at `at`: the n-th array (from 0) that begins with something else than an array: a
 * position among GeoJSON coordinates. */
size_t json_position(const struct json_text *t, size_t at, size_t n);

/* Line and column (in characters) of an offset, 1-based; 0, 0 for JSON_NOWHERE. Counts from the mark, or from
 * the beginning when `at` lies before it. */
void json_line_column(const struct json_text *t, size_t at, int32_t *line, int32_t *column);
/* Moves the mark, so that what lies behind it is found fast. */
void json_mark(struct json_text *t, size_t at);

#endif
