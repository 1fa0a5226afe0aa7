/* What gen/geojson*.c share; nobody else includes it. */
#ifndef GEN_GEOJSON_OWN_H
#define GEN_GEOJSON_OWN_H
#include "gen/features_own.h"
#include "gen/json_place.h"
#include <jansson.h>

/* A feature's geometry as it is written: points, in runs (a point, a line, a ring), in parts. */
struct drawn {
    enum feature_shape shape;
    const char *type; /* "LineString" ... */
    double *xyz;      /* three for each point */
    size_t points, room;
    bool has_z; /* all points have a third number */
    size_t *run_end, runs, run_room;
    size_t *part_end, parts, part_room; /* counted in runs */
};

/* One file being read. */
struct reading {
    const char *file; /* lives as long as the set */
    struct json_text text;
    const struct extent *extent;
    struct features *into;
    struct report *report;
    bool shown;        /* the text was given to the report */
    uint32_t index;    /* of the feature being read */
    size_t feature_at; /* where it stands */
    size_t mistakes;   /* in this feature */
    bool no_memory;
    struct drawn drawn; /* of this feature; the memory is used again */
    size_t repeated, first_repeated_feature, first_repeated_point;
    size_t repeated_at;
    size_t objects, objects_at;
    char object_name[64];
};

/* Reports a mistake of the feature being read at an offset of the text (JSON_NOWHERE: the feature's own).
 * The message begins with features[N]. */
void geojson_complain(struct reading *r, size_t at, const char *format, ...) PRINTF_LIKE(3, 4);
/* Where the n-th point of the feature being read stands. */
size_t geojson_point_place(const struct reading *r, size_t n);
/* Where a property stands. */
size_t geojson_property_place(const struct reading *r, const char *key);

/* What the parts of one feature share. */
struct geojson_common {
    enum feature_kind kind;
    const char *kind_text, *id;
    bool smooth;
    const char **names; /* of attributes, sorted; values in `values` */
    const json_t **values;
    size_t count;
};
/* Reads the properties of a feature whose r->drawn is made; mistakes are counted in r. The names and values
 * are freed by geojson_common_free. */
void geojson_take(struct reading *r, const json_t *feature, struct geojson_common *c);
void geojson_common_free(struct geojson_common *c);
/* A text, or a whole number as its digits, into `digits` or as it is; NULL: neither. */
const char *geojson_id_text(const json_t *id, char digits[24]);

/* Fills r->drawn from a geometry object; false: a mistake was reported (or no memory). */
bool geojson_draw(struct reading *r, const json_t *geometry);
/* Makes the set's items from r->drawn and the feature's properties. */
void geojson_add(struct reading *r, const json_t *feature);

#endif
