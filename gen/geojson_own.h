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

/* A property that nobody reads, in how many features, and what was meant by it; at the first one. */
struct slip {
    char name[64];
    const char *meant; /* NULL: it is read, but stands beside "properties" */
    size_t count, at;
};
enum { SLIPS_MAX = 16 };

/* How a file's coordinates lie. */
struct spread {
    double x0, y0, x1, y1, first_x, first_y;
    size_t points, fine; /* fine: coordinates with more than four decimals */
    double way;          /* from point to point of lines and rings, along x and y */
    size_t steps;
    double last_x, last_y;
    bool has_last;
};
enum { OUTSIDE_SHOWN = 3 }; /* mistakes of being outside that are told one by one */

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
    struct spread spread;
    size_t features;            /* in the file */
    size_t outside, outside_at; /* features outside the world; where the first stands that is not shown */
    uint32_t outside_index;
    size_t left_out, cut; /* with FEATURES_CLIP: features outside; features cut */
    struct slip slips[SLIPS_MAX];
    size_t slip_count, more_slips;
};

/* Reports a mistake of the feature being read at an offset of the text (JSON_NOWHERE: the feature's own).
 * The message begins with features[N]. */
void geojson_complain(struct reading *r, size_t at, const char *format, ...) PRINTF_LIKE(3, 4);
/* A mistake, a warning at an offset of the text, of the file as a whole. */
void geojson_complain_file(struct reading *r, size_t at, const char *format, ...) PRINTF_LIKE(3, 4);
void geojson_warn(struct reading *r, size_t at, const char *format, ...) PRINTF_LIKE(3, 4);
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
void geojson_take(struct reading *r, json_t *feature, struct geojson_common *c);
void geojson_common_free(struct geojson_common *c);
/* A text, or a whole number as its digits, into `digits` or as it is; NULL: neither. */
const char *geojson_id_text(const json_t *id, char digits[24]);

/* Fills r->drawn from a geometry object; false: a mistake was reported (or no memory). */
bool geojson_draw(struct reading *r, const json_t *geometry);
/* Makes the set's items from r->drawn and the feature's properties. */
void geojson_add(struct reading *r, json_t *feature);

/* gen/geojson_degrees.c: looks at the coordinates of a FeatureCollection; false: they are degrees, which is
 * reported. */
bool geojson_in_metres(struct reading *r, const json_t *root);

/* gen/geojson_names.c: which property of a kind a name is meant to be; NULL: it is one, or near none. */
const char *geojson_meant(const struct reading *r, enum feature_kind kind, const char *name);
/* Whether a kind's property of that name is read, as a number. */
bool geojson_is_number(const struct reading *r, enum feature_kind kind, const char *name);
/* Counts the slips of a feature; reports those of the file, one warning a name. */
void geojson_find_slips(struct reading *r, json_t *feature, enum feature_kind kind);
void geojson_tell_slips(struct reading *r);

#endif
