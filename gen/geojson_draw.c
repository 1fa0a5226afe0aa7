/* A GeoJSON geometry's coordinates: types, numbers, counts, closed rings, and whether they lie in the world.
 */
#include "gen/geojson_own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool add_end(struct reading *r, size_t **ends, size_t *count, size_t *room, size_t value) {
    if (*count == *room) {
        size_t more = *room ? *room * 2 : 16;
        size_t *grown = realloc(*ends, more * sizeof(*grown));
        if (!grown) {
            r->no_memory = true;
            return false;
        }
        *ends = grown;
        *room = more;
    }
    (*ends)[(*count)++] = value;
    return true;
}

static bool add_point(struct reading *r, const double *xyz) {
    struct drawn *d = &r->drawn;
    if (d->points == d->room) {
        size_t more = d->room ? d->room * 2 : 64;
        double *grown = realloc(d->xyz, more * 3 * sizeof *grown);
        if (!grown) {
            r->no_memory = true;
            return false;
        }
        d->xyz = grown;
        d->room = more;
    }
    for (int k = 0; k < 3; k++)
        d->xyz[3 * d->points + (size_t)k] = xyz[k] + 0.0; /* -0 becomes 0 */
    d->points++;
    return true;
}

static double beyond(double v, double lo, double hi) {
    return v < lo ? lo - v : v > hi ? v - hi : 0;
}

/* Whether a point lies near enough to the world; reports when it does not. The first features are told one by
 * one. */
static bool within_world(struct reading *r, double x, double y, size_t n) {
    const struct rect c = r->extent->cells;
    double m = r->extent->cell_m, x0 = c.x0 * m, x1 = c.x1 * m, y0 = c.y0 * m, y1 = c.y1 * m;
    double east = beyond(x, x0, x1), north = beyond(y, y0, y1), far = east > north ? east : north;
    int most = r->into->outside == FEATURES_CLIP ? FEATURES_FAR_M : FEATURES_MARGIN_M;
    if (far <= most)
        return true;
    if (r->outside == OUTSIDE_SHOWN) {
        r->outside_at = geojson_point_place(r, n);
        r->outside_index = r->index;
    }
    if (r->outside++ >= OUTSIDE_SHOWN) {
        r->mistakes++;
        return false;
    }
    geojson_complain(r, geojson_point_place(r, n),
                     "point %zu (%.10g, %.10g) lies %.10g m outside the world (x %.10g to %.10g, y %.10g to "
                     "%.10g m); features may reach %d m beyond its edge%s",
                     n, x, y, far, x0, x1, y0, y1, most,
                     most == FEATURES_MARGIN_M ? ", or are cut off there with 'outside: clip'" : "");
    return false;
}

/* One position. Reports at most one mistake. */
static bool take_point(struct reading *r, const json_t *position) {
    struct drawn *d = &r->drawn;
    size_t n = json_array_size(position), at = d->points;
    double xyz[3] = {0, 0, 0};
    if (!json_is_array(position) || n < 2 || n > 3) {
        geojson_complain(r, geojson_point_place(r, at), "point %zu is no array of two or three numbers", at);
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        const json_t *v = json_array_get(position, k);
        if (!json_is_number(v)) {
            geojson_complain(r, geojson_point_place(r, at), "point %zu: its coordinates are no numbers", at);
            return false;
        }
        xyz[k] = json_number_value(v);
    }
    if (at > 0 && d->has_z != (n == 3)) {
        geojson_complain(
            r, geojson_point_place(r, at),
            "point %zu has %zu coordinates, those before it have %d: give all points a height or "
            "none",
            at, n, d->has_z ? 3 : 2);
        return false;
    }
    d->has_z = n == 3;
    return within_world(r, xyz[0], xyz[1], at) && add_point(r, xyz);
}

/* A run: a line (2 points or more) or a ring (closed, 4 or more as written). */
static bool take_run(struct reading *r, const json_t *points) {
    struct drawn *d = &r->drawn;
    size_t n = json_array_size(points), first = d->points, least = d->shape == FEATURE_LINE ? 2 : 4;
    if (!json_is_array(points)) {
        geojson_complain(r, JSON_NOWHERE, "the coordinates of a %s are nested otherwise", d->type);
        return false;
    }
    if (n < least) {
        geojson_complain(r, JSON_NOWHERE, "a %s needs %zu points or more%s, not %zu",
                         least == 2 ? "line" : "ring", least,
                         least == 2 ? "" : " (the last repeats the first)", n);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        if (!take_point(r, json_array_get(points, i)))
            return false;
    const double *a = d->xyz + 3 * first, *b = d->xyz + 3 * (d->points - 1);
    if (d->shape == FEATURE_POLYGON && (a[0] != b[0] || a[1] != b[1])) {
        geojson_complain(r, geojson_point_place(r, d->points - 1),
                         "a ring is not closed: it starts at (%.10g, %.10g) and ends at (%.10g, %.10g)", a[0],
                         a[1], b[0], b[1]);
        return false;
    }
    return add_end(r, &d->run_end, &d->runs, &d->run_room, d->points);
}

/* A part: a point, a line, or a polygon's rings. */
static bool take_part(struct reading *r, const json_t *coordinates) {
    struct drawn *d = &r->drawn;
    bool ok;
    if (d->shape == FEATURE_POINT) {
        ok = take_point(r, coordinates) && add_end(r, &d->run_end, &d->runs, &d->run_room, d->points);
    } else if (d->shape == FEATURE_LINE) {
        ok = take_run(r, coordinates);
    } else {
        ok = json_array_size(coordinates) > 0;
        if (!ok)
            geojson_complain(r, JSON_NOWHERE, "a polygon without rings");
        for (size_t i = 0; ok && i < json_array_size(coordinates); i++)
            ok = take_run(r, json_array_get(coordinates, i));
    }
    return ok && add_end(r, &d->part_end, &d->parts, &d->part_room, d->runs);
}

bool geojson_draw(struct reading *r, const json_t *geometry) {
    static const struct {
        const char *name;
        enum feature_shape shape;
        bool multi;
    } types[] = {{"Point", FEATURE_POINT, false},         {"LineString", FEATURE_LINE, false},
                 {"Polygon", FEATURE_POLYGON, false},     {"MultiPoint", FEATURE_POINT, true},
                 {"MultiLineString", FEATURE_LINE, true}, {"MultiPolygon", FEATURE_POLYGON, true}};
    size_t at = json_member(&r->text, r->feature_at, "geometry");
    const char *type = json_string_value(json_object_get(geometry, "type"));
    if (!type) {
        geojson_complain(r, at, "it has no geometry");
        return false;
    }
    struct drawn *d = &r->drawn;
    d->points = d->runs = d->parts = 0;
    d->has_z = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(types[i].name, type) != 0)
            continue;
        const json_t *coordinates = json_object_get(geometry, "coordinates");
        d->shape = types[i].shape;
        d->type = types[i].name;
        if (!types[i].multi)
            return take_part(r, coordinates);
        if (json_array_size(coordinates) == 0) {
            geojson_complain(r, at, "a %s without coordinates", type);
            return false;
        }
        for (size_t k = 0; k < json_array_size(coordinates); k++)
            if (!take_part(r, json_array_get(coordinates, k)))
                return false;
        return true;
    }
    geojson_complain(
        r, at, "the geometry %.64s is not read; Point, LineString, Polygon and their Multi forms are", type);
    return false;
}
