/* The settings of fresh water. */
#include "gen/world_build.h"

const char *const water_carve_words[2] = {"none", "bed"};
const char *const water_fit_words[2] = {"none", "thalweg"};
const char *const water_direction_words[2] = {"line", "auto"};

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
    read_word(map, "carve", water_carve_words, &s->carve, b->report);
    read_word(map, "fit", water_fit_words, &s->fit, b->report);
    read_word(map, "direction", water_direction_words, &s->automatic, b->report);
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
