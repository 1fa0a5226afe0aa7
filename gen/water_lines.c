#include "gen/water_lines.h"

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
        widest = fmax(widest, feature_number(f, "width_m", i, fallback));
    return fmax(widest, 1.25 * world->extent.cell_m);
}

static bool chosen(const struct feature *f, const char *name, const char *yes, bool fallback) {
    const char *text = feature_text(f, name, NULL);
    return text ? strcmp(text, yes) == 0 : fallback;
}

bool water_is_fitted(const struct world *world, const struct feature *f) {
    return chosen(f, "fit", "thalweg", world->freshwater.fit);
}

struct water_params water_params_of(const struct world *world) {
    const struct extent *e = &world->extent;
    return (struct water_params){.cell_m = e->cell_m,
                                 .x0_m = e->cells.x0 * e->cell_m,
                                 .y0_m = e->cells.y0 * e->cell_m,
                                 .x1_m = e->cells.x1 * e->cell_m,
                                 .y1_m = e->cells.y1 * e->cell_m,
                                 .snap_m = world->freshwater.snap_m,
                                 .fall_drop_m = world->freshwater.fall_drop_m};
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
        .automatic = chosen(f, "direction", "auto", world->freshwater.automatic),
        .key = (uint32_t)f->content.lo,
    };
    return line->width_m && line->depth_m && line->speed && line->bank_m && line->level_m;
}

static void draw_lake(const struct world *world, const struct feature *f, struct water_lake *lake) {
    *lake = (struct water_lake){
        .xy = f->xy,
        .ring_end = f->ring_end,
        .ring_count = f->ring_count,
        .level_m = feature_number(f, "level_m", 0, (double)NAN),
        .depth_m = feature_number(f, "depth_m", 0, 0),
        .carve = chosen(f, "carve", "bed", world->freshwater.carve),
        .river_area = f->kind == FEATURE_RIVER_AREA,
        .key = (uint32_t)f->content.lo,
    };
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
            draw_lake(world, f, lake);
            lake->source = (uint32_t)i;
        }
    }
    return STATUS_OK;
}
