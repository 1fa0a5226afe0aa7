/* Drawn curves become evenly spaced points with the attributes of the curve. */
#include "terrain/math.h"
#include "water/river.h"

#include <math.h>

double water_spacing_m(double cell_m) {
    return math_max(1.5, 0.75 * cell_m);
}

double water_fit_m(double width_m, double cell_m) {
    return math_max(math_min(12, 2 * width_m + 8), 3 * cell_m);
}

double water_corridor_m(const struct water_params *params, double width_m, bool fit) {
    return (fit ? water_fit_m(width_m, params->cell_m) : 0) + 16 + 1.6 * width_m + 2 * params->snap_m +
           2 * params->cell_m;
}

void water_tangents(struct water_station *s, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct water_station *a = &s[i > 0 ? i - 1 : 0], *b = &s[i + 1 < count ? i + 1 : i];
        double dx = b->x - a->x, dy = b->y - a->y, l = sqrt(dx * dx + dy * dy);
        s[i].tx = l > 0 ? dx / l : i > 0 ? s[i - 1].tx : 1;
        s[i].ty = l > 0 ? dy / l : i > 0 ? s[i - 1].ty : 0;
    }
}

static void set_point(const struct water_river *river, const struct water_line *line,
                      const struct curve_sample *sample, struct water_station *p) {
    const struct curve *c = &line->curve;
    double widest = math_max(curve_attribute(c, line->width_m, sample), 1.25 * river->params.cell_m);
    *p = (struct water_station){.x = sample->x,
                                .y = sample->y,
                                .drawn_x = sample->x,
                                .drawn_y = sample->y,
                                .s_m = sample->s_m,
                                .left = 0.5 * widest,
                                .right = 0.5 * widest,
                                .depth = curve_attribute(c, line->depth_m, sample),
                                .speed = curve_attribute(c, line->speed, sample),
                                .bank = curve_attribute(c, line->bank_m, sample),
                                .pin = curve_attribute(c, line->level_m, sample),
                                .lake = -1,
                                .flags = line->carve ? STATION_CARVE : 0};
}

/* The line the other way round, where its end lies higher than its start. */
static void turn(const struct water_river *river, struct water_station *p, size_t count) {
    double start = water_height_at(river->heights, p[0].x, p[0].y);
    double end = water_height_at(river->heights, p[count - 1].x, p[count - 1].y);
    if (!(end > start))
        return;
    double length = p[count - 1].s_m;
    for (size_t i = 0; i < count / 2; i++) {
        struct water_station swap = p[i];
        p[i] = p[count - 1 - i];
        p[count - 1 - i] = swap;
    }
    for (size_t i = 0; i < count; i++)
        p[i].s_m = length - p[i].s_m;
}

static enum status sample_line(struct water_river *river, size_t l, struct water_station *points,
                               size_t *count, struct arena *arena, struct error *err) {
    const struct water_line *line = &river->lines[l];
    double spacing = water_spacing_m(river->params.cell_m);
    size_t mark = arena_mark(arena);
    double *lengths = arena_alloc(arena, curve_segments(&line->curve), sizeof *lengths);
    if (!lengths)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    terrain_curve_measure(&line->curve, lengths);
    *count = terrain_curve_sample_count(&line->curve, lengths, spacing, CURVE_THROUGH);
    struct curve_sample *samples = arena_alloc(arena, *count, sizeof *samples);
    if (!samples)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    terrain_curve_sample(&line->curve, lengths, spacing, CURVE_THROUGH, samples);
    for (size_t i = 0; points && i < *count; i++)
        set_point(river, line, &samples[i], &points[i]);
    if (points && line->automatic)
        turn(river, points, *count);
    if (points)
        water_tangents(points, *count);
    arena_release(arena, mark);
    return STATUS_OK;
}

enum status water_sample_lines(struct water_river *river, struct arena *arena, struct error *err) {
    enum status status = STATUS_OK;
    river->point_first = arena_alloc(arena, river->line_count + 1, sizeof *river->point_first);
    if (!river->point_first)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    river->point_first[0] = 0;
    for (size_t l = 0; status == STATUS_OK && l < river->line_count; l++) {
        size_t count = 0;
        status = sample_line(river, l, NULL, &count, arena, err);
        river->point_first[l + 1] = river->point_first[l] + count;
    }
    if (status != STATUS_OK)
        return status;
    size_t total = river->point_first[river->line_count];
    river->points = arena_alloc(arena, total, sizeof *river->points);
    if (total && !river->points)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t l = 0; status == STATUS_OK && l < river->line_count; l++) {
        size_t count;
        status = sample_line(river, l, river->points + river->point_first[l], &count, arena, err);
    }
    return status;
}
