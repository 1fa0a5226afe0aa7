/* GeoJSON texts, and what reading them says, to the letter. */
#ifndef TESTS_UNIT_GEOJSON_KIT_H
#define TESTS_UNIT_GEOJSON_KIT_H
#include "gen/geojson.h"

/* A world of 2 x 1 sections. */
extern const struct extent geojson_world;

#define COLLECTION(features) "{\"type\": \"FeatureCollection\", \"features\": [\n" features "]}"
#define FEATURE(type, coordinates, properties)                                                               \
    "{\"type\": \"Feature\", \"properties\": {" properties "}, \"geometry\": {\"type\": \"" type             \
    "\", \"coordinates\": " coordinates "}}"
#define LINE(properties)  FEATURE("LineString", "[[1, 2], [3, 4], [5, 2]]", properties)
#define LAKE(coordinates) COLLECTION(FEATURE("Polygon", coordinates, "\"kind\": \"lake\""))
#define ROAD              "\"kind\": \"road\""
#define RIVER             "\"kind\": \"river\""

/* Reads a text as a.geojson, cutting what reaches out of the world or not. */
struct features *geojson_read(enum features_purpose purpose, enum features_outside outside, const char *text,
                              struct report *report);
/* The messages of reading and finishing a text, one a line: "line:column message", warnings with a W before,
 * notes with an N. */
void geojson_says(enum features_purpose purpose, enum features_outside outside, const char *text, size_t size,
                  const char *expected);
void splines_say(const char *text, const char *expected);
void placed_say(const char *text, const char *expected);

#endif
