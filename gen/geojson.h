/* Owns what people draw: lines, areas and points from GeoJSON files, in world metres, validated, in an order
 * that does not depend on the files'. Knows the kinds, not what tools do with them. docs/lines.md is the
 * user's side of it.
 *
 * A set is made once: features_new, features_read for each file, features_finish; from then on it is
 * immutable and may be read by many threads. */
#ifndef GEN_GEOJSON_H
#define GEN_GEOJSON_H
#include "gen/extent.h"
#include "gen/layer.h"
#include "gen/report.h"
#include "terrain/curve.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum feature_kind {
    FEATURE_RIVER,
    FEATURE_STREAM,
    FEATURE_DITCH,
    FEATURE_LAKE,
    FEATURE_RIVER_AREA,
    FEATURE_ROAD,
    FEATURE_TRACK,
    FEATURE_PATH,
    FEATURE_FENCE,
    FEATURE_WALL,
    FEATURE_POWER_LINE,
    FEATURE_POWER_TOWER,
    FEATURE_FOOTPRINT,
    FEATURE_OTHER, /* no kind, or one that no tool knows: kind_text says which */
    FEATURE_KINDS = FEATURE_OTHER
};
extern const char *const feature_kind_names[FEATURE_KINDS];

enum feature_shape { FEATURE_POINT, FEATURE_LINE, FEATURE_POLYGON };

enum attribute_type { ATTRIBUTE_NUMBER, ATTRIBUTE_NUMBERS, ATTRIBUTE_TEXT };

struct feature_attribute {
    const char *name;
    enum attribute_type type;
    double number;         /* ATTRIBUTE_NUMBER (true and false: 1 and 0) */
    const double *numbers; /* ATTRIBUTE_NUMBERS: one for each point */
    const char *text;      /* ATTRIBUTE_TEXT */
};

/* One point, line or polygon; a Multi geometry becomes one feature for each part. */
struct feature {
    enum feature_kind kind;
    enum feature_shape shape;
    const char *kind_text; /* as written; "" without */
    bool smooth;           /* curve: catmull-rom (lines by default); false: linear (polygons by default) */
    const char *id;        /* NULL without; a number is kept as its digits */
    uint64_t id_hash;      /* hash_name(id); 0 without */
    int32_t part;     /* which part of a Multi geometry, from 0; 65536 more for each further piece of it */
    const double *xy; /* x0 y0 x1 y1 ... in world metres; no two neighbours are equal */
    size_t count;     /* points: 1, lines 2 or more, rings 3 or more each (not closed by repetition) */
    const size_t *ring_end; /* polygons: ring r holds the points ring_end[r - 1] (or 0) .. ring_end[r] - 1 */
    size_t ring_count;      /* polygons: 1 or more, the first is the outer one; else 0 */
    const struct feature_attribute *attributes; /* sorted by name */
    size_t attribute_count;
    double x0, y0, x1, y1;  /* bounding box of the points */
    bool cut;               /* a piece of what was drawn: the rest lies outside the world */
    double whole_m2;        /* cut polygons: area of the whole outer ring; else 0 */
    struct hash128 content; /* of kind, shape, curve, id, part, points and attributes */
    const char *file;       /* where it stands */
    int32_t line, column;   /* 0: unknown */
    uint32_t index;         /* its place in the file's list of features, from 0 */
};

enum features_purpose {
    FEATURES_SPLINES, /* every feature has a kind, and a shape that suits it */
    FEATURES_PLACED   /* any kind; points have radius_m, lines width_m */
};
/* What becomes of features that lie further beyond the world's edge than FEATURES_MARGIN_M. Coordinates
 * beyond FEATURES_FAR_M are a mistake in any case. */
enum features_outside {
    FEATURES_REFUSE, /* a mistake */
    FEATURES_CLIP    /* they are cut off there */
};
enum { FEATURES_MARGIN_M = 64, FEATURES_FAR_M = 1000000 };

struct features {
    enum features_purpose purpose;
    enum features_outside outside; /* FEATURES_REFUSE, unless set before reading */
    struct feature *items;         /* after features_finish: in canonical order */
    size_t count, room;
    struct features_pool *pool;   /* owns every string and array of the items */
    struct features_index *index; /* NULL before features_finish, or when empty */
};

struct features *features_new(enum features_purpose purpose); /* NULL: out of memory */
void features_free(struct features *features);                /* NULL allowed */

/* Reads one file and adds its features. Every mistake goes to the report with its place; a feature with a
 * mistake is not added. Returns the worst status of this file's errors. Files may hold at most 64 MiB. */
enum status features_read(const char *path, const struct extent *extent, struct features *into,
                          struct report *report);
/* The same from memory; `file` is what messages call it. */
enum status features_parse(const char *file, const char *text, size_t size, const struct extent *extent,
                           struct features *into, struct report *report);

/* Puts the items in canonical order (kind, shape, coordinates, curve, id, part, attributes: never the place
 * in a file), builds the index, and reports: ids that stand twice, in this set or in `other` as well
 * (finished before; NULL without), and, as one warning, kinds that no tool knows. */
enum status features_finish(struct features *features, const struct extent *extent,
                            const struct features *other, struct report *report);

/* World metres, closed. */
struct box {
    double x0, y0, x1, y1;
};
/* How far a feature's own radius_m or width_m reaches beyond its points (placed things); 0 for others. */
double feature_reach_m(const struct feature *feature);
/* The least i >= *from that may touch the box; false: there is none. Every feature that touches it, grown by
 * feature_reach_m, is found, and of the others only some whose bounding boxes touch it: which, depends on the
 * feature and the box alone. for (size_t i = 0; features_find(f, &box, &i); i++) walks all in
 * canonical order. */
bool features_find(const struct features *features, const struct box *box, size_t *from);

/* The feature as curves: a line has one, a polygon one for each ring, a point none. Valid as long as the set.
 */
size_t feature_runs(const struct feature *feature);
struct curve feature_curve(const struct feature *feature, size_t run);

const struct feature_attribute *feature_attribute(const struct feature *feature, const char *name);
/* The attribute at a point; the fallback when there is none or it is text. */
double feature_number(const struct feature *feature, const char *name, size_t point, double fallback);
/* The attribute's text; the fallback when there is none or it is no text. */
const char *feature_text(const struct feature *feature, const char *name, const char *fallback);

#endif
