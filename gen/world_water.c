/* What is checked of drawn water: properties, ends, circles, what makes no water at all. */
#include "gen/world_build.h"

#include "gen/geojson.h"
#include "gen/water_lines.h"
#include "gen/water_report.h"
#include "terrain/math.h"
#include "terrain/sets.h"
#include "water/note.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    double min, max;
    const char *unit;
    bool above; /* min itself is refused */
} numbers[] = {
    {"width_m", 0, 512, " m", true},
    {"depth_m", 0, 64, " m", true},
    {"speed", 0, 20, " m/s", true},
    {"bank_m", 0, 16, " m", true},
    {"level_m", -HEIGHT_MAX_M, HEIGHT_MAX_M, " m", false},
};
/* A lake may lie that far under the lowest height: its bed is dug. */
static const double LEVEL_UNDER_MAX_M = 64;
static const struct {
    const char *name;
    const char *const *words;
} texts[] = {{"carve", water_carve_words}, {"fit", water_fit_words}, {"direction", water_direction_words}};

static void complain(struct world_build *b, const struct feature *f, const char *text) {
    water_say(f, REPORT_ERROR, text, b->report);
}

static void check_number(struct world_build *b, const struct feature *f, size_t n) {
    const struct feature_attribute *a = feature_attribute(f, numbers[n].name);
    char text[160];
    if (!a)
        return;
    if (a->type == ATTRIBUTE_TEXT) {
        snprintf(text, sizeof text, "\"%s\" is a number, not \"%.40s\"", numbers[n].name, a->text);
        complain(b, f, text);
        return;
    }
    if (a->type == ATTRIBUTE_NUMBERS && water_is_area(f)) {
        snprintf(text, sizeof text, "\"%s\" of a %s is one number, not one for each point", numbers[n].name,
                 f->kind_text);
        complain(b, f, text);
        return;
    }
    size_t count = a->type == ATTRIBUTE_NUMBERS ? f->count : 1;
    for (size_t i = 0; i < count; i++) {
        double v = feature_number(f, numbers[n].name, i, 0);
        if (v <= numbers[n].max && (numbers[n].above ? v > numbers[n].min : v >= numbers[n].min))
            continue;
        snprintf(text, sizeof text, "\"%s\" is %s%g and at most %g%s, not %.10g", numbers[n].name,
                 numbers[n].above ? "above " : "at least ", numbers[n].min, numbers[n].max, numbers[n].unit,
                 v);
        complain(b, f, text);
        return;
    }
}

/* A level over all ground that heights can tell of, or far under it. */
static void check_level(struct world_build *b, const struct feature *f) {
    const struct world_height *h = &b->world->height;
    const struct feature_attribute *a = feature_attribute(f, "level_m");
    size_t count = a && a->type == ATTRIBUTE_NUMBERS ? f->count : 1;
    char text[160];
    if (!(h->z_max_m > h->z_min_m) || !a || a->type == ATTRIBUTE_TEXT ||
        (a->type == ATTRIBUTE_NUMBERS && water_is_area(f)))
        return;
    for (size_t i = 0; i < count; i++) {
        double v = feature_number(f, "level_m", i, 0);
        bool over = v > h->z_max_m;
        if (!over && v >= h->z_min_m - LEVEL_UNDER_MAX_M)
            continue;
        snprintf(text, sizeof text,
                 "\"level_m\" is %.10g, %.10g m %s all heights of the world (%.10g to %.10g m)", v,
                 over ? v - h->z_max_m : h->z_min_m - v, over ? "over" : "under", h->z_min_m, h->z_max_m);
        complain(b, f, text);
        return;
    }
}

static void check_text(struct world_build *b, const struct feature *f, size_t t) {
    const struct feature_attribute *a = feature_attribute(f, texts[t].name);
    const char *const *words = texts[t].words;
    char text[160];
    if (!a || (a->type == ATTRIBUTE_TEXT && (!strcmp(a->text, words[0]) || !strcmp(a->text, words[1]))))
        return;
    snprintf(text, sizeof text, "\"%s\" is %s or %s", texts[t].name, words[0], words[1]);
    complain(b, f, text);
}

/* One line of those circles that hang together. */
static void name_circles(struct world_build *b, const struct water_drawing *drawing,
                         const struct water_river *river) {
    size_t nodes = river->network.node_count;
    uint32_t *label = build_alloc(b, nodes + 1, sizeof *label);
    uint8_t *said = build_alloc(b, nodes + 1, 1);
    if (label && said) {
        for (uint32_t n = 0; n < nodes; n++)
            label[n] = n;
        for (size_t e = 0; e < river->edge_count; e++)
            if (river->edges[e].circle)
                terrain_sets_join(label, river->edges[e].from, river->edges[e].to);
        for (size_t e = 0; e < river->edge_count; e++) {
            const struct water_edge *edge = &river->edges[e];
            const struct network_node *n = &river->network.nodes[edge->from];
            uint32_t set = terrain_sets_root(label, edge->from);
            if (!edge->circle || said[set])
                continue;
            said[set] = 1;
            water_say_circle(&b->world->splines->items[drawing->lines[edge->line].source], n->x, n->y,
                             b->report);
        }
    }
    free(label);
    free(said);
}

/* Every line reaches a lake, another line or the world's edge, or is named; and so is a circle. */
static void check_ends(struct world_build *b, const struct water_drawing *drawing,
                       const struct water_river *river) {
    name_circles(b, drawing, river);
    for (size_t e = 0; e < river->edge_count; e++) {
        const struct water_edge *edge = &river->edges[e];
        const struct water_station *s = &river->stations[edge->first + edge->count - 1];
        if (!water_end_is_named(river, edge))
            continue;
        const struct feature *items = b->world->splines->items;
        struct water_nearest near = water_nearest_to(river, s->x, s->y, edge->line);
        water_say_end(&items[drawing->lines[edge->line].source], s->x, s->y,
                      near.line != UINT32_MAX ? &items[drawing->lines[near.line].source] : NULL, near.gap_m,
                      b->world->freshwater.snap_m, b->report);
    }
}

/* ---- what is drawn in vain ---- */

static bool in_world(const struct water_river *river, double x, double y, double margin) {
    const struct water_params *p = &river->params;
    return x >= p->x0_m - margin && x <= p->x1_m + margin && y >= p->y0_m - margin && y <= p->y1_m + margin;
}

/* The first centre of a cell that is at least v. */
static double centre_from(double v, double cell_m) {
    return (ceil(v / cell_m - 0.5) + 0.5) * cell_m;
}

static bool in_lake(const struct water_river *river, const struct water_lake *lake, double x, double y) {
    return x < river->params.x1_m && x > river->params.x0_m && water_lake_holds(lake, x, y);
}

/* Whether a row of cells' centres meets a lake: if so, then in the first centre east of some edge, or in the
 * world's first. */
static bool row_meets(const struct water_river *river, const struct water_lake *lake, double y) {
    double m = river->params.cell_m;
    if (in_lake(river, lake, river->params.x0_m + 0.5 * m, y))
        return true;
    for (size_t r = 0, first = 0; r < lake->ring_count; first = lake->ring_end[r++])
        for (size_t i = first, j = lake->ring_end[r] - 1; i < lake->ring_end[r]; j = i++) {
            const double *a = lake->xy + 2 * i, *b = lake->xy + 2 * j;
            if ((a[1] > y) == (b[1] > y))
                continue;
            double x = a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]);
            if (in_lake(river, lake, centre_from(x, m), y))
                return true;
        }
    return false;
}

/* Whether the centre of a cell of the world lies in a lake: row by row, until there is one. */
static bool holds_a_cell(const struct water_river *river, const struct water_lake *lake) {
    const struct water_params *p = &river->params;
    double y1 = math_min(lake->y1, p->y1_m);
    for (double y = centre_from(math_max(lake->y0, p->y0_m), p->cell_m); y < y1; y += p->cell_m)
        if (row_meets(river, lake, y))
            return true;
    return false;
}

static void warn_of_lakes(struct world_build *b, const struct water_drawing *drawing,
                          const struct water_river *river) {
    for (size_t l = 0; l < river->lake_count; l++) {
        const struct water_lake *lake = &river->lakes[l];
        const struct feature *f = &b->world->splines->items[drawing->lakes[l].source];
        bool outside = lake->x1 < river->params.x0_m || lake->x0 > river->params.x1_m ||
                       lake->y1 < river->params.y0_m || lake->y0 > river->params.y1_m;
        char text[160];
        if (lake->river_area || f->cut || holds_a_cell(river, lake))
            continue;
        snprintf(text, sizeof text, "it makes no water: %s (%.6g, %.6g)",
                 outside ? "it lies outside the world, at" : "it holds no cell's centre, at", lake->xy[0],
                 lake->xy[1]);
        water_say(f, REPORT_WARNING, text, b->report);
    }
}

/* What a line has come to. */
enum { LINE_VANISHED, LINE_OUTSIDE, LINE_WET };

static void look_at_edge(const struct water_river *river, const struct water_edge *edge, uint8_t *lines,
                         uint8_t *areas) {
    uint8_t *line = &lines[edge->line];
    *line = *line == LINE_VANISHED ? LINE_OUTSIDE : *line;
    for (size_t i = 0; i < edge->count; i++) {
        const struct water_station *s = &river->stations[edge->first + i];
        int32_t area = water_lake_at(river, s->x, s->y, true);
        if (in_world(river, s->x, s->y, math_max(s->left, s->right)))
            *line = LINE_WET;
        if (area >= 0)
            areas[area] = 1;
    }
}

static void warn_of_lines(struct world_build *b, const struct water_drawing *drawing,
                          const struct water_river *river) {
    uint8_t *lines = build_alloc(b, river->line_count + 1, 1),
            *areas = build_alloc(b, river->lake_count + 1, 1);
    char text[160];
    for (size_t e = 0; lines && areas && e < river->edge_count; e++)
        look_at_edge(river, &river->edges[e], lines, areas);
    for (size_t l = 0; lines && areas && l < river->line_count; l++) {
        const struct feature *f = &b->world->splines->items[drawing->lines[l].source];
        if (lines[l] == LINE_WET || f->cut)
            continue;
        snprintf(text, sizeof text, "it makes no water: %s (%.6g, %.6g)",
                 lines[l] == LINE_OUTSIDE ? "it lies outside the world, at"
                                          : "it is too short, and its ends are joined (snap_m), at",
                 f->xy[0], f->xy[1]);
        water_say(f, REPORT_WARNING, text, b->report);
    }
    for (size_t l = 0; lines && areas && l < river->lake_count; l++) {
        const struct feature *f = &b->world->splines->items[drawing->lakes[l].source];
        if (!river->lakes[l].river_area || areas[l] || f->cut || b->world->freshwater.stream_ha > 0)
            continue;
        snprintf(text, sizeof text, "it changes nothing: no line runs through it, at (%.6g, %.6g)", f->xy[0],
                 f->xy[1]);
        water_say(f, REPORT_WARNING, text, b->report);
    }
    free(lines);
    free(areas);
}

static void check_network(struct world_build *b) {
    struct arena arena = {.size = 0}, small = {.size = 0};
    struct water_drawing drawing;
    struct error err;
    for (size_t i = 0; i < b->world->splines->count; i++)
        small.size += water_draw_need(&b->world->splines->items[i], b->world->extent.cell_m) +
                      arena_need(b->world->splines->items[i].count + 1, 5 * 128);
    small.base = build_alloc(b, small.size + 4096, 1);
    small.size += 4096;
    enum status status = small.base ? water_draw(b->world, &small, &drawing, &err) : STATUS_LIMIT;
    if (status == STATUS_OK) {
        arena.size =
            water_solve_scratch(drawing.lines, drawing.line_count, b->world->extent.cell_m) + (1 << 20);
        arena.base = build_alloc(b, arena.size, 1);
    }
    if (arena.base) {
        struct water_river river = {.params = water_params_of(b->world),
                                    .lines = drawing.lines,
                                    .line_count = drawing.line_count,
                                    .lakes = drawing.lakes,
                                    .lake_count = drawing.lake_count};
        bool automatic = b->world->freshwater.stream_ha > 0; /* they may go on where a line ends */
        for (size_t l = 0; l < drawing.line_count; l++) {
            automatic |= drawing.lines[l].automatic;
            drawing.lines[l].automatic = false; /* no heights are known yet */
        }
        water_bound_lakes(&river);
        status = water_sample_lines(&river, &arena, &err);
        if (status == STATUS_OK)
            status = water_reach_waters(&river, &arena, &err);
        if (status == STATUS_OK)
            status = water_join(&river, &arena, &err);
        if (status == STATUS_OK && !automatic)
            check_ends(b, &drawing, &river);
        if (status == STATUS_OK) {
            warn_of_lakes(b, &drawing, &river);
            warn_of_lines(b, &drawing, &river);
        }
        if (status != STATUS_OK)
            report_error(b->report, &err);
    }
    free(arena.base);
    free(small.base);
}

void build_check_water(struct world_build *b) {
    struct world *w = b->world;
    size_t errors = b->report->errors, lines = 0;
    if (!world_has_tool(w, TOOL_FRESHWATER) || !w->splines || !b->extent_known)
        return;
    for (size_t i = 0; i < w->splines->count; i++) {
        const struct feature *f = &w->splines->items[i];
        if (!water_is_line(f) && !water_is_area(f))
            continue;
        lines++;
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            check_number(b, f, n);
        check_level(b, f);
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            check_text(b, f, t);
    }
    if (lines && b->report->errors == errors)
        check_network(b);
}
