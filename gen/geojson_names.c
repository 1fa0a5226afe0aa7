/* Properties that nobody reads but that are named almost like one that somebody reads. Others are none of our
 * business: OSM's tags, an editor's notes. */
#include "gen/geojson_own.h"

#include <stdio.h>
#include <string.h>

enum {
    RUNNING = 1 << FEATURE_RIVER | 1 << FEATURE_STREAM | 1 << FEATURE_DITCH,
    LAKE = 1 << FEATURE_LAKE,
    SHORTEST = 4 /* letters of a name that may be a slip of the pen: "fid" is no id */
};

/* What is read of the features of `splines`, by kind. */
static const struct {
    const char *name;
    int kinds;
} read_of_splines[] = {
    {"width_m", RUNNING},        {"depth_m", RUNNING | LAKE}, {"speed", RUNNING}, {"bank_m", RUNNING},
    {"level_m", RUNNING | LAKE}, {"carve", RUNNING | LAKE},   {"fit", RUNNING},   {"direction", RUNNING},
};
enum { SPLINE_NAMES = sizeof read_of_splines / sizeof *read_of_splines };

/* The properties that a feature's kind knows, those of all features first. */
static size_t names_of(const struct reading *r, enum feature_kind kind, const char *names[SPLINE_NAMES + 4]) {
    size_t n = 0;
    names[n++] = "kind";
    names[n++] = "curve";
    names[n++] = "z_m";
    if (r->into->purpose == FEATURES_PLACED && r->drawn.shape != FEATURE_POLYGON)
        names[n++] = r->drawn.shape == FEATURE_POINT ? "radius_m" : "width_m";
    for (size_t i = 0; r->into->purpose == FEATURES_SPLINES && i < SPLINE_NAMES; i++)
        if (read_of_splines[i].kinds & 1 << kind)
            names[n++] = read_of_splines[i].name;
    return n;
}

static bool is_one_of(const char *name, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Counts it; meant NULL: it stands beside "properties". */
static void count_slip(struct reading *r, const char *name, const char *meant, size_t at) {
    size_t i = 0;
    while (i < r->slip_count && (strcmp(r->slips[i].name, name) != 0 || r->slips[i].meant != meant))
        i++;
    if (i == SLIPS_MAX) {
        r->more_slips++;
        return;
    }
    if (i == r->slip_count) {
        r->slip_count++;
        r->slips[i] = (struct slip){.meant = meant, .at = at == JSON_NOWHERE ? r->feature_at : at};
        snprintf(r->slips[i].name, sizeof r->slips[i].name, "%s", name);
    }
    r->slips[i].count++;
}

const char *geojson_meant(const struct reading *r, enum feature_kind kind, const char *name) {
    const char *names[SPLINE_NAMES + 4];
    size_t count = names_of(r, kind, names);
    if (strcmp(name, "id") == 0 || strlen(name) < SHORTEST || strlen(name) >= sizeof r->slips[0].name ||
        is_one_of(name, names, count))
        return NULL;
    return report_suggest(name, names, count);
}

bool geojson_is_number(const struct reading *r, enum feature_kind kind, const char *name) {
    const char *names[SPLINE_NAMES + 4];
    size_t n = strlen(name);
    bool metres = n > 2 && strcmp(name + n - 2, "_m") == 0;
    return (metres || strcmp(name, "speed") == 0) && is_one_of(name, names, names_of(r, kind, names));
}

void geojson_find_slips(struct reading *r, json_t *feature, enum feature_kind kind) {
    static const char *const own[] = {"type", "geometry", "properties", "id", "bbox"};
    const char *names[SPLINE_NAMES + 4], *name;
    size_t count = names_of(r, kind, names);
    json_t *value;
    json_object_foreach(json_object_get(feature, "properties"), name, value) {
        const char *meant = json_is_null(value) ? NULL : geojson_meant(r, kind, name);
        if (meant && strcmp(meant, "kind") != 0) /* a kind that is missing is an error */
            count_slip(r, name, meant, geojson_property_place(r, name));
    }
    json_object_foreach(feature, name, value) {
        if (!json_is_null(value) && !is_one_of(name, own, sizeof own / sizeof *own) &&
            is_one_of(name, names, count))
            count_slip(r, name, NULL, json_member(&r->text, r->feature_at, name));
    }
}

static void say(struct reading *r, const struct slip *s) {
    char many[48] = "";
    if (s->count > 1)
        snprintf(many, sizeof many, " of %zu features", s->count);
    if (s->meant)
        geojson_warn(r, s->at, "the property \"%s\"%s changes nothing: did you mean \"%s\"?", s->name, many,
                     s->meant);
    else
        geojson_warn(r, s->at, "\"%s\"%s stands beside \"properties\" and changes nothing: move it there",
                     s->name, many);
}

void geojson_tell_slips(struct reading *r) {
    for (size_t i = 0; i < r->slip_count; i++)
        say(r, &r->slips[i]);
    if (r->more_slips)
        geojson_warn(r, r->slips[0].at, "%zu more properties are named almost like one that is read",
                     r->more_slips);
}
