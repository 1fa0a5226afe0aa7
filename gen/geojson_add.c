/* From a drawing and its properties to items of the set: repeated points, attributes by point, rings that
 * cross. */
#include "gen/geojson_own.h"

#include "terrain/hash.h"
#include "terrain/polygon.h"
#include <stdlib.h>

/* The points of a part that are kept: no repetitions, no closing point. kept[i] is the place as written. */
static size_t keep_points(struct reading *r, size_t first_run, size_t end_run, size_t *kept,
                          size_t *ring_end) {
    const struct drawn *d = &r->drawn;
    size_t n = 0;
    for (size_t run = first_run; run < end_run; run++) {
        size_t first = run ? d->run_end[run - 1] : 0, end = d->run_end[run], start = n;
        end -= d->shape == FEATURE_POLYGON;
        for (size_t i = first; i < end; i++) {
            const double *p = d->xyz + 3 * i, *q = n > start ? d->xyz + 3 * kept[n - 1] : NULL;
            if (q && p[0] == q[0] && p[1] == q[1]) {
                if (r->repeated++ == 0) {
                    r->first_repeated_feature = r->index;
                    r->first_repeated_point = i;
                    r->repeated_at = geojson_point_place(r, i);
                }
                continue;
            }
            kept[n++] = i;
        }
        /* a ring may end on its first point more than once */
        while (d->shape == FEATURE_POLYGON && n - start > 1 &&
               d->xyz[3 * kept[n - 1]] == d->xyz[3 * kept[start]] &&
               d->xyz[3 * kept[n - 1] + 1] == d->xyz[3 * kept[start] + 1]) {
            n--;
            r->repeated++;
        }
        ring_end[run - first_run] = n;
        size_t least = d->shape == FEATURE_POINT ? 1 : d->shape == FEATURE_LINE ? 2 : 3;
        if (n - start < least)
            geojson_complain(r, geojson_point_place(r, first), "%s has only %zu different %s",
                             d->shape == FEATURE_LINE ? "a line" : "a ring", n - start,
                             n - start == 1 ? "point" : "points");
    }
    return n;
}

static bool set_attributes(struct reading *r, const struct geojson_common *c, struct feature *f,
                           const size_t *kept) {
    struct feature_attribute *a = features_alloc(r->into, c->count, sizeof *a);
    if (!a)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        const json_t *v = c->values[i];
        char digits[24];
        if (!(a[i].name = features_text(r->into, c->names[i])))
            return false;
        if (!v || json_is_array(v)) {
            double *numbers = features_alloc(r->into, f->count, sizeof *numbers);
            if (!numbers)
                return false;
            for (size_t k = 0; k < f->count; k++)
                numbers[k] =
                    (v ? json_number_value(json_array_get(v, kept[k])) : r->drawn.xyz[3 * kept[k] + 2]) + 0.0;
            a[i].type = ATTRIBUTE_NUMBERS;
            a[i].numbers = numbers;
            continue;
        }
        /* whole numbers that no double holds stay digits */
        bool large = json_is_integer(v) &&
                     (json_integer_value(v) > (1LL << 53) || json_integer_value(v) < -(1LL << 53));
        a[i].type = json_is_string(v) || large ? ATTRIBUTE_TEXT : ATTRIBUTE_NUMBER;
        a[i].number = json_is_true(v) ? 1 : json_number_value(v) + 0.0;
        if (a[i].type == ATTRIBUTE_TEXT && !(a[i].text = features_text(r->into, geojson_id_text(v, digits))))
            return false;
    }
    f->attributes = a;
    f->attribute_count = c->count;
    return true;
}

/* Rings cross nothing and enclose something. */
static void check_rings(struct reading *r, const struct feature *f) {
    struct polygon polygon = {f->xy, f->ring_end, f->ring_count};
    struct arena arena = {.size = terrain_polygon_crossing_scratch(f->count)};
    bool crosses = false;
    struct polygon_crossing where;
    arena.base = malloc(arena.size);
    if (!arena.base || terrain_polygon_crosses(&polygon, &arena, &crosses, &where, NULL))
        r->no_memory = true;
    free(arena.base);
    if (crosses)
        geojson_complain(r, JSON_NOWHERE, "the polygon crosses itself at (%.10g, %.10g)", where.x, where.y);
    for (size_t ring = 0, first = 0; ring < f->ring_count && !crosses; first = f->ring_end[ring++]) {
        double area = 0; /* twice, with its sign */
        const double *o = f->xy + 2 * first;
        for (size_t i = first + 1; i + 1 < f->ring_end[ring]; i++) {
            const double *p = f->xy + 2 * i;
            area += (p[0] - o[0]) * (p[3] - o[1]) - (p[2] - o[0]) * (p[1] - o[1]);
        }
        if (area == 0)
            geojson_complain(r, JSON_NOWHERE, "ring %zu encloses nothing", ring);
    }
}

/* One part; false: no memory. Mistakes are counted in r. */
static bool add_part(struct reading *r, const struct geojson_common *c, size_t part) {
    const struct drawn *d = &r->drawn;
    size_t first = part ? d->part_end[part - 1] : 0, runs = d->part_end[part] - first;
    size_t points = d->run_end[first + runs - 1] - (first ? d->run_end[first - 1] : 0);
    size_t *kept = malloc((points + 1) * sizeof *kept);
    size_t *ring_end = features_alloc(r->into, runs, sizeof *ring_end);
    struct feature *f = NULL;
    bool ok = false;
    if (!kept || !ring_end)
        goto done;
    size_t count = keep_points(r, first, first + runs, kept, ring_end), mistakes = r->mistakes;
    ok = true;
    if (mistakes)
        goto done;
    double *xy = features_alloc(r->into, 2 * count, sizeof *xy);
    f = xy ? features_add(r->into) : NULL;
    ok = f != NULL;
    if (!ok)
        goto done;
    for (size_t i = 0; i < count; i++) {
        xy[2 * i] = d->xyz[3 * kept[i]];
        xy[2 * i + 1] = d->xyz[3 * kept[i] + 1];
    }
    *f = (struct feature){.kind = c->kind,
                          .shape = d->shape,
                          .kind_text = c->kind_text,
                          .smooth = c->smooth,
                          .id = c->id,
                          .id_hash = c->id ? hash_name(c->id) : 0,
                          .part = (int32_t)part,
                          .xy = xy,
                          .count = count,
                          .ring_end = d->shape == FEATURE_POLYGON ? ring_end : NULL,
                          .ring_count = d->shape == FEATURE_POLYGON ? runs : 0,
                          .file = r->file,
                          .index = r->index};
    json_line_column(&r->text, r->feature_at, &f->line, &f->column);
    ok = set_attributes(r, c, f, kept);
    if (ok && d->shape == FEATURE_POLYGON)
        check_rings(r, f);
    if (ok && r->mistakes == 0)
        feature_seal(f);
    else
        r->into->count--;
done:
    free(kept);
    return ok;
}

/* What of the feature's items lies outside the world. */
static void cut_off(struct reading *r, size_t first) {
    bool cut;
    r->no_memory |= !features_clip(r->into, first, r->extent, &cut);
    if (cut && r->into->count == first)
        r->left_out++;
    else
        r->cut += cut;
}

void geojson_add(struct reading *r, json_t *feature) {
    struct geojson_common c = {0};
    size_t items = r->into->count;
    geojson_take(r, feature, &c);
    if (!r->mistakes && !r->no_memory) {
        c.kind_text =
            c.kind != FEATURE_OTHER ? feature_kind_names[c.kind] : features_text(r->into, c.kind_text);
        r->no_memory |= !c.kind_text;
        for (size_t part = 0; part < r->drawn.parts && !r->no_memory; part++)
            r->no_memory |= !add_part(r, &c, part);
    }
    if (r->mistakes || r->no_memory)
        r->into->count = items;
    else if (r->into->outside == FEATURES_CLIP)
        cut_off(r, items);
    geojson_common_free(&c);
}
