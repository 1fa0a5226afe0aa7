/* Owns how .fresh.json keeps the bands of a map's picture (gen/png_stream.h), so that the next bake packs
 * only those whose pixels changed. */
#ifndef GEN_PUBLISH_BANDS_H
#define GEN_PUBLISH_BANDS_H
#include "gen/png_stream.h"

#include <jansson.h>

/* [[hash of the rows, seal, at, size, sum], ...]. NULL: out of memory. The caller's
 * (json_decref).
 */
json_t *bands_json(const struct png_band *bands, size_t count);
/* At most `room` of what bands_json gave: how many could be read; 0 for anything else. */
size_t bands_parse(const json_t *list, struct png_band *bands, size_t room);

#endif
