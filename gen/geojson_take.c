/* A feature's properties: kind, id, curve, attributes. */
#include "gen/geojson_own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINT = 1 << FEATURE_POINT, LINE = 1 << FEATURE_LINE, POLYGON = 1 << FEATURE_POLYGON };
/* The shapes that suit a kind. */
static const struct {
    int shapes;
    const char *words;
} suits[FEATURE_KINDS] = {
    [FEATURE_RIVER] = {LINE, "a LineString"},
    [FEATURE_STREAM] = {LINE, "a LineString"},
    [FEATURE_DITCH] = {LINE, "a LineString"},
    [FEATURE_LAKE] = {POLYGON, "a Polygon"},
    [FEATURE_RIVER_AREA] = {POLYGON, "a Polygon"},
    [FEATURE_ROAD] = {LINE, "a LineString"},
    [FEATURE_TRACK] = {LINE, "a LineString"},
    [FEATURE_PATH] = {LINE, "a LineString"},
    [FEATURE_FENCE] = {LINE | POLYGON, "a LineString or Polygon"},
    [FEATURE_WALL] = {LINE | POLYGON, "a LineString or Polygon"},
    [FEATURE_POWER_LINE] = {LINE, "a LineString"},
    [FEATURE_POWER_TOWER] = {POINT, "a Point"},
    [FEATURE_FOOTPRINT] = {POLYGON | POINT, "a Polygon or Point"},
};

/* A kind under another name: "Kind", "knid". */
static const char *mistyped_kind(const struct reading *r, json_t *properties) {
    const char *name, *meant;
    json_t *value;
    json_object_foreach(properties, name, value) {
        meant = geojson_meant(r, FEATURE_OTHER, name);
        if (meant && strcmp(meant, "kind") == 0)
            return name;
    }
    return NULL;
}

static void take_kind(struct reading *r, json_t *properties, struct geojson_common *c) {
    const json_t *kind = json_object_get(properties, "kind");
    c->kind = FEATURE_OTHER;
    c->kind_text = "";
    if (!kind || json_is_null(kind)) {
        const char *slip = mistyped_kind(r, properties);
        if (r->into->purpose != FEATURES_SPLINES)
            return;
        if (slip)
            geojson_complain(r, geojson_property_place(r, slip),
                             "it has no property \"kind\", but \"%.60s\": did you mean \"kind\"?", slip);
        else
            geojson_complain(r, JSON_NOWHERE, "it has no property \"kind\" (river, road, fence ...)");
        return;
    }
    if (!json_is_string(kind)) {
        geojson_complain(r, geojson_property_place(r, "kind"), "\"kind\" is no text");
        return;
    }
    c->kind_text = json_string_value(kind);
    for (int k = 0; k < FEATURE_KINDS; k++)
        if (strcmp(c->kind_text, feature_kind_names[k]) == 0)
            c->kind = (enum feature_kind)k;
    if (c->kind != FEATURE_OTHER && r->into->purpose == FEATURES_SPLINES &&
        !(suits[c->kind].shapes & 1 << r->drawn.shape))
        geojson_complain(r, json_member(&r->text, r->feature_at, "geometry"), "a %s is %s, not a %s",
                         c->kind_text, suits[c->kind].words, r->drawn.type);
}

const char *geojson_id_text(const json_t *id, char digits[24]) {
    if (json_is_string(id))
        return json_string_value(id);
    if (!json_is_integer(id))
        return NULL;
    snprintf(digits, 24, "%" JSON_INTEGER_FORMAT, json_integer_value(id));
    return digits;
}

static void take_id(struct reading *r, const json_t *feature, const json_t *properties,
                    struct geojson_common *c) {
    const json_t *outer = json_object_get(feature, "id"), *inner = json_object_get(properties, "id");
    char outer_digits[24], inner_digits[24];
    outer = json_is_null(outer) ? NULL : outer;
    inner = json_is_null(inner) ? NULL : inner;
    const char *a = outer ? geojson_id_text(outer, outer_digits) : NULL;
    const char *b = inner ? geojson_id_text(inner, inner_digits) : NULL;
    size_t at = outer ? json_member(&r->text, r->feature_at, "id") : geojson_property_place(r, "id");
    if ((outer && (!a || !*a)) || (inner && (!b || !*b))) {
        geojson_complain(r, at, "an id is a text or a whole number");
        return;
    }
    if (a && b && strcmp(a, b) != 0) {
        geojson_complain(r, at, "it has two ids: \"%.64s\" and, among its properties, \"%.64s\"", a, b);
        return;
    }
    if (a || b) {
        c->id = features_text(r->into, a ? a : b);
        r->no_memory |= !c->id;
    }
}

static void take_curve(struct reading *r, const json_t *properties, struct geojson_common *c) {
    static const char *const words[] = {"linear", "catmull-rom"};
    const json_t *curve = json_object_get(properties, "curve");
    c->smooth = r->drawn.shape == FEATURE_LINE;
    if (!curve || json_is_null(curve))
        return;
    const char *text = json_string_value(curve);
    if (text && (strcmp(text, words[0]) == 0 || strcmp(text, words[1]) == 0)) {
        c->smooth = strcmp(text, words[1]) == 0;
        return;
    }
    const char *near = text ? report_suggest(text, words, 2) : NULL;
    geojson_complain(r, geojson_property_place(r, "curve"), "\"curve\" is linear or catmull-rom%s%s%s",
                     near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/* Whether a property becomes an attribute; reports what cannot. */
static bool keeps(struct reading *r, enum feature_kind kind, const char *name, const json_t *value) {
    if (json_is_null(value) || strcmp(name, "kind") == 0 || strcmp(name, "id") == 0 ||
        strcmp(name, "curve") == 0)
        return false;
    if (json_is_object(value)) {
        if (r->objects++ == 0) {
            r->objects_at = geojson_property_place(r, name);
            snprintf(r->object_name, sizeof r->object_name, "%.60s", name);
        }
        return false;
    }
    if (strcmp(name, "z_m") == 0 && r->drawn.has_z) {
        geojson_complain(r, geojson_property_place(r, name),
                         "heights stand both in the coordinates and in \"z_m\"");
        return false;
    }
    if (json_is_boolean(value) && geojson_is_number(r, kind, name)) {
        geojson_complain(r, geojson_property_place(r, name), "\"%.64s\" is a number, not %s", name,
                         json_is_true(value) ? "true" : "false");
        return false;
    }
    if (!json_is_array(value))
        return true;
    size_t n = json_array_size(value);
    for (size_t i = 0; i < n; i++)
        if (!json_is_number(json_array_get(value, i))) {
            geojson_complain(r, geojson_property_place(r, name),
                             "\"%.64s\": an array holds one number for each point; entry %zu is no number",
                             name, i);
            return false;
        }
    if (n != r->drawn.points)
        geojson_complain(r, geojson_property_place(r, name),
                         "\"%.64s\" has %zu values for %zu points; give one for each, or one number for all",
                         name, n, r->drawn.points);
    return n == r->drawn.points;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void take_attributes(struct reading *r, json_t *properties, struct geojson_common *c) {
    size_t room = json_object_size(properties) + 1;
    c->names = malloc(room * sizeof(*c->names));
    c->values = malloc(room * sizeof(*c->values));
    if (!c->names || !c->values) {
        r->no_memory = true;
        return;
    }
    const char *name;
    json_t *value;
    json_object_foreach(properties, name, value) {
        if (keeps(r, c->kind, name, value))
            c->names[c->count++] = name;
    }
    if (r->drawn.has_z)
        c->names[c->count++] = "z_m";
    qsort(c->names, c->count, sizeof(*c->names), compare_names);
    for (size_t i = 0; i < c->count; i++)
        c->values[i] = json_object_get(properties, c->names[i]); /* NULL: heights */
}

/* Placed things keep others away by a size. */
static void check_size(struct reading *r, const json_t *properties) {
    const char *name = r->drawn.shape == FEATURE_POINT ? "radius_m" : "width_m";
    if (r->into->purpose != FEATURES_PLACED || r->drawn.shape == FEATURE_POLYGON)
        return;
    const json_t *size = json_object_get(properties, name);
    bool many = r->drawn.shape == FEATURE_LINE && json_is_array(size);
    bool ok = json_is_number(size) || many;
    for (size_t i = 0; ok && i < (many ? json_array_size(size) : 1); i++) {
        const json_t *one = many ? json_array_get(size, i) : size;
        double v = json_number_value(one); /* 0 for what is no number: reported elsewhere */
        ok = v > 0 && v <= 4096;
    }
    if (!ok)
        geojson_complain(r, geojson_property_place(r, name),
                         "a placed %s needs \"%s\": above 0, at most 4096 m",
                         r->drawn.shape == FEATURE_POINT ? "point" : "line", name);
}

void geojson_take(struct reading *r, json_t *feature, struct geojson_common *c) {
    json_t *properties = json_object_get(feature, "properties");
    take_kind(r, properties, c);
    take_id(r, feature, properties, c);
    take_curve(r, properties, c);
    check_size(r, properties);
    take_attributes(r, properties, c);
    geojson_find_slips(r, feature, c->kind);
}

void geojson_common_free(struct geojson_common *c) {
    free(c->names);
    free(c->values);
}
