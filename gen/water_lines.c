#include "gen/water_lines.h"

#include "terrain/hash.h"
#include "terrain/math.h"
#include "water/stream.h"
#include <math.h>
#include <string.h>

bool water_is_line(const struct feature *f) {
    return f->shape == FEATURE_LINE &&
           (f->kind == FEATURE_RIVER || f->kind == FEATURE_STREAM || f->kind == FEATURE_DITCH);
}

bool water_is_area(const struct feature *f) {
    return f->shape == FEATURE_POLYGON && (f->kind == FEATURE_LAKE || f->kind == FEATURE_RIVER_AREA);
}

static double default_width(const struct world *world, const struct feature *f) {
    return world->freshwater.width_m[f->kind == FEATURE_RIVER ? 0 : f->kind == FEATURE_STREAM ? 1 : 2];
}

double water_width_of(const struct world *world, const struct feature *f) {
    double widest = 0, fallback = default_width(world, f);
    for (size_t i = 0; i < f->count; i++)
        widest = math_max(widest, feature_number(f, "width_m", i, fallback));
    return math_max(widest, 1.25 * world->extent.cell_m);
}

static bool chosen(const struct feature *f, const char *name, const char *yes, bool fallback) {
    const char *text = feature_text(f, name, NULL);
    return text ? strcmp(text, yes) == 0 : fallback;
}

bool water_is_fitted(const struct world *world, const struct feature *f) {
    return chosen(f, "fit", "thalweg", world->freshwater.fit);
}

bool water_is_automatic(const struct world *world, const struct feature *f) {
    return chosen(f, "direction", "auto", world->freshwater.automatic);
}

struct water_params water_params_of(const struct world *world) {
    const struct extent *e = &world->extent;
    return (struct water_params){.cell_m = e->cell_m,
                                 .x0_m = e->cells.x0 * e->cell_m,
                                 .y0_m = e->cells.y0 * e->cell_m,
                                 .x1_m = e->cells.x1 * e->cell_m,
                                 .y1_m = e->cells.y1 * e->cell_m,
                                 .snap_m = world->freshwater.snap_m,
                                 .fall_drop_m = world->freshwater.fall_drop_m,
                                 .max_cut_m = world->freshwater.max_cut_m};
}

static const double *numbers(const struct feature *f, const char *name, double fallback,
                             struct arena *arena) {
    double *v = arena_alloc(arena, f->count, sizeof *v);
    for (size_t i = 0; v && i < f->count; i++)
        v[i] = feature_number(f, name, i, fallback);
    return v;
}

static bool draw_line(const struct world *world, const struct feature *f, struct water_line *line,
                      struct arena *arena) {
    *line = (struct water_line){
        .curve = feature_curve(f, 0),
        .width_m = numbers(f, "width_m", default_width(world, f), arena),
        .depth_m = numbers(f, "depth_m", 0, arena),
        .speed = numbers(f, "speed", 0, arena),
        .bank_m = numbers(f, "bank_m", 0, arena),
        .level_m = numbers(f, "level_m", (double)NAN, arena),
        .kind = f->kind == FEATURE_RIVER    ? WATER_RIVER
                : f->kind == FEATURE_STREAM ? WATER_STREAM
                                            : WATER_DITCH,
        .carve = chosen(f, "carve", "bed", world->freshwater.carve),
        .fit = water_is_fitted(world, f),
        .automatic = water_is_automatic(world, f),
        .key = (uint32_t)f->content.lo,
    };
    return line->width_m && line->depth_m && line->speed && line->bank_m && line->level_m;
}

static double ring_spacing_m(double cell_m) {
    return math_max(2, cell_m);
}

size_t water_draw_need(const struct feature *f, double cell_m) {
    double points = (double)f->count + 1;
    for (size_t i = 0; f->smooth && water_is_area(f) && i < f->count;
         i++) { /* curves are no 1.6 times longer */
        size_t k = (i + 1) % f->count;
        double dx = f->xy[2 * k] - f->xy[2 * i], dy = f->xy[2 * k + 1] - f->xy[2 * i + 1];
        points += 2 + 1.6 * sqrt(dx * dx + dy * dy) / ring_spacing_m(cell_m);
    }
    return arena_need((size_t)math_min(points, 1e9), 160) + arena_need(f->ring_count + 1, 64) + 1024;
}

bool water_rings(const struct feature *f, double cell_m, struct arena *arena, const double **xy,
                 const size_t **ring_end) {
    *xy = f->xy;
    *ring_end = f->ring_end;
    if (!f->smooth)
        return true;
    size_t room = 0;
    for (int pass = 0; pass < 2; pass++) {
        double *points = pass ? arena_alloc(arena, room + 1, 2 * sizeof *points) : NULL;
        size_t *ends = pass ? arena_alloc(arena, f->ring_count, sizeof *ends) : NULL, n = 0;
        if (pass && (!points || !ends))
            return false;
        for (size_t r = 0; r < f->ring_count; r++) {
            struct curve curve = feature_curve(f, r);
            size_t mark = arena_mark(arena);
            double *lengths = arena_alloc(arena, curve_segments(&curve), sizeof *lengths);
            if (!lengths)
                return false;
            terrain_curve_measure(&curve, lengths);
            size_t count = terrain_curve_sample_count(&curve, lengths, ring_spacing_m(cell_m), CURVE_THROUGH);
            struct curve_sample *s = arena_alloc(arena, pass ? count : 0, sizeof *s);
            if (pass && !s)
                return false;
            if (pass)
                terrain_curve_sample(&curve, lengths, ring_spacing_m(cell_m), CURVE_THROUGH, s);
            for (size_t i = 0; pass && i < count; i++) {
                points[2 * (n + i)] = s[i].x;
                points[2 * (n + i) + 1] = s[i].y;
            }
            n += count;
            if (pass)
                ends[r] = n;
            arena_release(arena, mark);
        }
        room = n;
        *xy = pass ? points : *xy;
        *ring_end = pass ? ends : *ring_end;
    }
    return true;
}

static bool draw_lake(const struct world *world, const struct feature *f, struct water_lake *lake,
                      struct arena *arena) {
    const double *xy;
    const size_t *ring_end;
    if (!water_rings(f, world->extent.cell_m, arena, &xy, &ring_end))
        return false;
    *lake = (struct water_lake){
        .xy = xy,
        .ring_end = ring_end,
        .ring_count = f->ring_count,
        .level_m = feature_number(f, "level_m", 0, (double)NAN),
        .depth_m = feature_number(f, "depth_m", 0, 0),
        .whole_m2 = f->whole_m2,
        .carve = chosen(f, "carve", "bed", world->freshwater.carve),
        .river_area = f->kind == FEATURE_RIVER_AREA,
        .key = (uint32_t)f->content.lo,
    };
    return true;
}

enum status water_draw(const struct world *world, struct arena *arena, struct water_drawing *out,
                       struct error *err) {
    const struct features *splines = world->splines;
    size_t lines = 0, lakes = 0;
    for (size_t i = 0; i < splines->count; i++) {
        lines += water_is_line(&splines->items[i]);
        lakes += water_is_area(&splines->items[i]);
    }
    *out = (struct water_drawing){.lines = arena_alloc(arena, lines + 1, sizeof *out->lines),
                                  .lakes = arena_alloc(arena, lakes + 1, sizeof *out->lakes)};
    if (!out->lines || !out->lakes)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t i = 0; i < splines->count; i++) {
        const struct feature *f = &splines->items[i];
        if (water_is_line(f)) {
            struct water_line *line = &out->lines[out->line_count++];
            if (!draw_line(world, f, line, arena))
                return error_set(err, STATUS_LIMIT, "out of scratch memory");
            line->source = (uint32_t)i;
        } else if (water_is_area(f)) {
            struct water_lake *lake = &out->lakes[out->lake_count++];
            if (!draw_lake(world, f, lake, arena))
                return error_set(err, STATUS_LIMIT, "out of scratch memory");
            lake->source = (uint32_t)i;
        }
    }
    return STATUS_OK;
}

/* ---- streams that nobody drew ---- */

uint64_t water_least_cells(const struct world *world) {
    double cell = world->extent.cell_m * world->extent.cell_m;
    return (uint64_t)math_max(16, ceil(world->freshwater.stream_ha * 1e4 / cell));
}

double water_stream_reach_m(const struct world *world, double area_m2) {
    struct water_params params = water_params_of(world);
    double width = math_max(water_stream_width_m(area_m2), 1.25 * world->extent.cell_m);
    return water_corridor_m(&params, width, false) + 4 * world->extent.cell_m;
}

bool water_next_stream(const struct tile *tile, size_t *at, struct stream_head *head, const double **points) {
    if (!tile || tile->size < *at + sizeof *head)
        return false;
    memcpy(head, tile->bytes + *at, sizeof *head);
    size_t size = (size_t)head->points * 3 * sizeof(double);
    if (tile->size - *at - sizeof *head < size)
        return false;
    *points = (const double *)(const void *)(tile->bytes + *at + sizeof *head);
    *at += sizeof *head + size;
    return true;
}

static bool take_stream(const struct world *world, const struct stream_head *head, const double *points,
                        struct water_line *line, struct arena *arena) {
    size_t n = head->points;
    double *xy = arena_alloc(arena, n, 2 * sizeof *xy), *width = arena_alloc(arena, n, sizeof *width);
    double *none = arena_alloc(arena, n, sizeof *none), *nan = arena_alloc(arena, n, sizeof *nan);
    if (!xy || !width || !none || !nan)
        return false;
    for (size_t i = 0; i < n; i++) {
        xy[2 * i] = points[3 * i];
        xy[2 * i + 1] = points[3 * i + 1];
        width[i] = water_stream_width_m(points[3 * i + 2]);
        none[i] = 0;
        nan[i] = (double)NAN;
    }
    *line = (struct water_line){
        .curve = {.xy = xy, .count = n, .smooth = true},
        .width_m = width,
        .depth_m = none,
        .speed = none,
        .bank_m = none,
        .level_m = nan,
        .kind = WATER_STREAM,
        .carve = world->freshwater.carve,
        .found = true,
        .key = (uint32_t)hash_place(0, hash_name("auto_streams"), head->x, head->y, 0),
        .source = SOURCE_NONE,
    };
    return true;
}

static bool begins_in(const struct stream_head *head, int32_t section_x, int32_t section_y) {
    return floor_div(head->x, SECTION_CELLS) == section_x && floor_div(head->y, SECTION_CELLS) == section_y;
}

enum status water_add_streams(const struct world *world, const struct window *streams, struct arena *arena,
                              struct water_drawing *drawing, struct error *err) {
    struct rect s = streams->sections;
    struct stream_head head;
    const double *points;
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t y = s.y0; y < s.y1; y++)
            for (int32_t x = s.x0; x < s.x1; x++) {
                const struct tile *tile = streams->tiles[(y - s.y0) * (s.x1 - s.x0) + x - s.x0];
                for (size_t at = 0; water_next_stream(tile, &at, &head, &points);) {
                    if (!begins_in(&head, x, y))
                        continue;
                    if (pass == 0)
                        count++;
                    else if (!take_stream(world, &head, points, &drawing->lines[drawing->line_count++],
                                          arena))
                        return error_set(err, STATUS_LIMIT, "out of scratch memory");
                }
            }
        if (pass == 1 || !count)
            continue;
        struct water_line *all = arena_alloc(arena, drawing->line_count + count, sizeof *all);
        if (!all)
            return error_set(err, STATUS_LIMIT, "out of scratch memory");
        memcpy(all, drawing->lines, drawing->line_count * sizeof *all);
        drawing->lines = all;
    }
    return STATUS_OK;
}
