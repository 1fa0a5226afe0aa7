/* The settings of fresh water, and what is checked of drawn water. */
#include "gen/world_build.h"

#include "gen/geojson.h"
#include "gen/water_lines.h"
#include "gen/water_report.h"
#include "water/note.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const carve_words[] = {"none", "bed"};
static const char *const fit_words[] = {"none", "thalweg"};
static const char *const direction_words[] = {"line", "auto"};

static void read_word(struct yaml_node *map, const char *key, const char *const *words, bool *out,
                      struct report *report) {
    int32_t word = *out;
    if (yaml_get_enum(map, key, words, 2, &word, report))
        *out = word == 1;
}

void build_freshwater(struct world_build *b) {
    struct freshwater_settings *s = &b->world->freshwater;
    struct yaml_node *map = yaml_get_map(b->yaml, "freshwater", b->report);
    if (!map)
        return;
    if (!world_has_tool(b->world, TOOL_FRESHWATER))
        yaml_warn(map, b->report, "'freshwater' is not among the tools: its settings are not used");
    yaml_get_f64(map, "river_width_m", 0.2, 512, "m", &s->width_m[0], b->report);
    yaml_get_f64(map, "stream_width_m", 0.2, 512, "m", &s->width_m[1], b->report);
    yaml_get_f64(map, "ditch_width_m", 0.2, 512, "m", &s->width_m[2], b->report);
    yaml_get_f64(map, "snap_m", 0, 32, "m", &s->snap_m, b->report);
    yaml_get_f64(map, "mesh_m", 0.5, 64, "m", &s->mesh_m, b->report);
    yaml_get_f64(map, "fall_drop_m", 1, 64, "m", &s->fall_drop_m, b->report);
    yaml_get_f64(map, "max_cut_m", 1, 1000, "m", &s->max_cut_m, b->report);
    read_word(map, "carve", carve_words, &s->carve, b->report);
    read_word(map, "fit", fit_words, &s->fit, b->report);
    read_word(map, "direction", direction_words, &s->automatic, b->report);
    struct yaml_node *textures = yaml_get_map(map, "textures", b->report);
    yaml_get_i64(textures, "bed", 0, 255, &s->textures[0], b->report);
    yaml_get_i64(textures, "gravel", 0, 255, &s->textures[1], b->report);
    yaml_get_i64(textures, "bank", 0, 255, &s->textures[2], b->report);
    yaml_unknown_keys(textures, "freshwater.textures", b->report);
    struct yaml_node *streams = yaml_get_map(map, "auto_streams", b->report);
    if (streams && !yaml_get(streams, "min_area_ha"))
        yaml_complain(
            streams, b->report,
            "'auto_streams' needs min_area_ha: the least area that drains together to make a stream");
    yaml_get_f64(streams, "min_area_ha", 0.01, 1e6, "ha", &s->stream_ha, b->report);
    if (streams) {
        s->stream_line = streams->line;
        s->stream_column = streams->column;
    }
    yaml_unknown_keys(streams, "freshwater.auto_streams", b->report);
    yaml_unknown_keys(map, "freshwater", b->report);
}

/* ---- drawn water ---- */

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
static const struct {
    const char *name;
    const char *const *words;
} texts[] = {{"carve", carve_words}, {"fit", fit_words}, {"direction", direction_words}};

static void complain(struct world_build *b, const struct feature *f, enum report_level level,
                     const char *text) {
    if (f->id)
        report_add(b->report, level, STATUS_INPUT, f->file, f->line, f->column, "%s \"%.64s\": %s",
                   f->kind_text, f->id, text);
    else
        report_add(b->report, level, STATUS_INPUT, f->file, f->line, f->column, "%s: %s", f->kind_text, text);
}

static void check_number(struct world_build *b, const struct feature *f, size_t n) {
    const struct feature_attribute *a = feature_attribute(f, numbers[n].name);
    char text[160];
    if (!a)
        return;
    if (a->type == ATTRIBUTE_TEXT) {
        snprintf(text, sizeof text, "\"%s\" is a number, not \"%.40s\"", numbers[n].name, a->text);
        complain(b, f, REPORT_ERROR, text);
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
        complain(b, f, REPORT_ERROR, text);
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
    complain(b, f, REPORT_ERROR, text);
}

/* Every line reaches a lake, another line or the world's edge, or is named; and so is a circle. */
static void check_ends(struct world_build *b, const struct water_drawing *drawing,
                       const struct water_river *river) {
    bool said = false;
    for (size_t e = 0; e < river->edge_count; e++) {
        const struct water_edge *edge = &river->edges[e];
        const struct network_node *n = &river->network.nodes[edge->from];
        if (edge->circle && !said)
            water_say_circle(&b->world->splines->items[drawing->lines[edge->line].source], n->x, n->y,
                             b->report);
        said |= edge->circle;
    }
    for (size_t e = 0; e < river->edge_count; e++) {
        const struct water_edge *edge = &river->edges[e];
        const struct water_station *s = &river->stations[edge->first + edge->count - 1];
        if (water_end_is_named(river, edge))
            water_say_end(&b->world->splines->items[drawing->lines[edge->line].source], s->x, s->y,
                          b->report);
    }
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
            status = water_join(&river, &arena, &err);
        if (status == STATUS_OK && !automatic)
            check_ends(b, &drawing, &river);
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
        for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
            check_text(b, f, t);
    }
    if (lines && b->report->errors == errors)
        check_network(b);
}
