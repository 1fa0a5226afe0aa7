/* Whether a file's coordinates are degrees: GeoJSON's are by its standard, and nothing but wrong places would
 * come of them. */
#include "gen/geojson_own.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Codes of geographic systems in common use; most numbers from 4001 to 4999 are others, but not all. */
static const int geographic[] = {4326, 4258, 4269, 4267, 4283, 4490, 4612,
                                 4617, 4937, 4979, 6318, 6668, 7844};

static bool contains(const char *text, const char *word) {
    size_t n = strlen(word);
    for (; *text; text++) {
        size_t i = 0;
        while (i < n && toupper((unsigned char)text[i]) == word[i])
            i++;
        if (i == n)
            return true;
    }
    return false;
}

/* "urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "http://www.opengis.net/def/crs/EPSG/0/4326" ... */
static bool names_degrees(const char *name) {
    if (contains(name, "CRS84") || contains(name, "CRS83") || contains(name, "CRS27"))
        return true;
    size_t digits = 0, n = strlen(name);
    while (digits < n && digits < 9 && isdigit((unsigned char)name[n - 1 - digits]))
        digits++;
    if (!digits || !contains(name, "EPSG"))
        return false;
    long code = strtol(name + n - digits, NULL, 10);
    for (size_t i = 0; i < sizeof geographic / sizeof *geographic; i++)
        if (code == geographic[i])
            return true;
    return false;
}

/* ---- how the coordinates lie ---- */

static void look_at_point(struct spread *s, double x, double y) {
    if (s->points++ == 0) {
        s->x0 = s->x1 = s->first_x = x;
        s->y0 = s->y1 = s->first_y = y;
    }
    s->x0 = x < s->x0 ? x : s->x0;
    s->x1 = x > s->x1 ? x : s->x1;
    s->y0 = y < s->y0 ? y : s->y0;
    s->y1 = y > s->y1 ? y : s->y1;
    for (int k = 0; k < 2; k++) {
        double v = fabs(k ? y : x) * 1e4;
        s->fine += v < 1e9 && fabs(v - floor(v + 0.5)) > 1e-3;
    }
    if (s->has_last) {
        s->steps++;
        s->way += fabs(x - s->last_x) + fabs(y - s->last_y);
    }
    s->last_x = x;
    s->last_y = y;
    s->has_last = true;
}

/* Arrays of arrays down to positions; what is no position is somebody else's mistake to report. */
static void look(struct spread *s, const json_t *coordinates) {
    const json_t *first = json_array_get(coordinates, 0), *second = json_array_get(coordinates, 1);
    if (json_is_number(first) && json_is_number(second)) {
        look_at_point(s, json_number_value(first), json_number_value(second));
        return;
    }
    for (size_t i = 0; i < json_array_size(coordinates); i++)
        look(s, json_array_get(coordinates, i));
}

static void look_at_all(struct reading *r, const json_t *features) {
    struct spread *s = &r->spread;
    for (size_t i = 0; i < json_array_size(features); i++) {
        const json_t *geometry = json_object_get(json_array_get(features, i), "geometry");
        size_t before = s->points;
        look(s, json_object_get(geometry, "coordinates"));
        if (s->points - before > 1) /* single points are steps apart, lines are not */
            s->has_last = false;
    }
}

/* Numbers that can be degrees, with more than four decimals, mostly, and less than 5 cm from one to the next
 * if they were metres. */
static bool looks_like_degrees(const struct spread *s) {
    return s->steps > 0 && s->way > 0 && s->way < 0.05 * (double)s->steps && s->fine > s->points;
}

static bool can_be_degrees(const struct spread *s) {
    return s->points > 0 && s->x0 >= -180 && s->x1 <= 180 && s->y0 >= -90 && s->y1 <= 90;
}

/* What to do: a projection whose origin is the corner of what is drawn. */
static const char *advice(const struct reading *r, char text[512]) {
    snprintf(text, 512,
             "lines are drawn in world metres; project them as the heights are, e.g. ogr2ogr -t_srs "
             "\"+proj=tmerc +lat_0=%g +lon_0=%g\" metres.geojson %.200s (docs/lines.md)",
             floor(r->spread.y0 * 100) / 100, floor(r->spread.x0 * 100) / 100, r->file);
    return text;
}

bool geojson_in_metres(struct reading *r, const json_t *root) {
    const json_t *crs = json_object_get(root, "crs");
    const char *name = json_string_value(json_object_get(json_object_get(crs, "properties"), "name"));
    size_t root_at = json_root(&r->text), crs_at = json_member(&r->text, root_at, "crs");
    char text[512];
    look_at_all(r, json_object_get(root, "features"));
    bool said = name && names_degrees(name), can = can_be_degrees(&r->spread);
    if (said && can) {
        geojson_complain_file(r, crs_at, "\"crs\" is %.80s: longitudes and latitudes; %s", name,
                              advice(r, text));
        return false;
    }
    if (said && r->spread.points)
        geojson_warn(r, crs_at,
                     "\"crs\" is %.80s, longitudes and latitudes, but coordinates such as %.10g, %.10g are "
                     "none: they are taken as world metres; take \"crs\" out",
                     name, r->spread.first_x, r->spread.first_y);
    if (!can || !looks_like_degrees(&r->spread))
        return true;
    r->feature_at = json_first(&r->text, json_member(&r->text, root_at, "features"));
    geojson_complain_file(r, geojson_point_place(r, 0),
                          "coordinates such as %.10g, %.10g, a hair's breadth from one to the next, are "
                          "longitudes and latitudes; %s",
                          r->spread.first_x, r->spread.first_y, advice(r, text));
    return false;
}
