/* terrane explain: what is known of a place, layer by layer, and how each species likes it, step by step. */
#include "biome/recipe.h"
#include "biome/viability.h"
#include "cmd/cmd.h"
#include "cmd/print.h"
#include "cmd/world_args.h"
#include "gen/look.h"
#include "gen/names.h"
#include "gen/os.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct cmd_option options[] = {
    {"--at", "X,Y", false, "the place, in metres"},
    CMD_SET_OPTION,
    {"--store", "DIR", false, "where results are kept (default: what world.yaml says)"},
    {"--no-store", NULL, false, "keep nothing for the next bake"},
    {"--threads", "N", false, "default: one a core"},
    {NULL, NULL, false, NULL},
};

struct place {
    double x_m, y_m;
    int32_t x, y; /* cell */
    const char *const *names;
    size_t count;
    float *values;
    float *recipe_values; /* by the recipe's layer index */
};

static bool is_colour(const struct world *world, const char *name) {
    const struct layer_info *layer = gen_layer_info(world, name);
    return !layer || layer->type == LAYER_RGB8 || layer->type == LAYER_BLOB;
}

/* The layers that a place is explained by: all rasters of one channel. */
static size_t list_layers(const struct world *world, const char *const **names, const char ***kept) {
    size_t all = gen_layer_names(world, names), count = 0;
    *kept = calloc(all + 1, sizeof **kept);
    for (size_t i = 0; *kept && i < all; i++) {
        const char *name = (*names)[i];
        if (!is_colour(world, name) &&
            (strncmp(name, "distance.", 9) != 0 || gen_layer_info(world, name + 9)))
            (*kept)[count++] = name;
    }
    return count;
}

static const char *unit_of(const struct world *world, const char *name) {
    const struct layer_info *layer = gen_layer_info(world, name);
    return layer && layer->unit ? layer->unit : "";
}

static void print_step(const struct recipe *recipe, const struct biome_trace *t) {
    const struct recipe_step *step = &recipe->steps[t->step];
    char what[160];
    if (step->kind == STEP_LAYER)
        snprintf(what, sizeof what, "%s", recipe->layers[step->layer]);
    else
        snprintf(what, sizeof what, "%s", step->kind == STEP_VALUE ? "value" : "group");
    printf("      %*s%-9s %-22s", t->depth * 2, "", recipe_combine_names[step->combine], what);
    printf(" reads %-10.4g", (double)t->read);
    if (step->ranged)
        printf(" ramp %.3f", (double)t->ramp);
    printf(" gives %.3f -> %.3f   (line %" PRId32 ")\n", (double)t->given, (double)t->result, step->line);
}

static const char *biome_names(const struct recipe *recipe, const struct recipe_species *species,
                               char out[160]) {
    size_t used = 0;
    out[0] = '\0';
    for (int32_t b = 0; b < recipe->biome_count; b++)
        if (species->biomes[b / 64] >> (b % 64) & 1 && used < 140)
            used +=
                (size_t)snprintf(out + used, 160 - used, "%s%.40s", used ? ", " : "", recipe->biomes[b].name);
    return out;
}

static void print_species(const struct recipe *recipe, const struct place *place, struct biome_trace *trace) {
    for (int32_t s = 0; s < recipe->species_count; s++) {
        const struct recipe_species *species = &recipe->species[s];
        char biomes[160];
        float v = biome_viability_trace(recipe, species->step_first, species->step_end, place->recipe_values,
                                        trace);
        printf("  %s: viability %.3f  (priority %" PRId32 ", lives in %s)\n", species->name, (double)v,
               species->priority, biome_names(recipe, species, biomes));
        for (int32_t i = 0; i < species->step_end - species->step_first; i++)
            print_step(recipe, &trace[i]);
    }
}

static void print_text(const struct world *world, const struct place *place, struct biome_trace *trace) {
    int32_t sx = floor_div(place->x, SECTOR_CELLS), sy = floor_div(place->y, SECTOR_CELLS);
    printf("place %g,%g m: cell %" PRId32 ",%" PRId32 ", sector %" PRId32 ",%" PRId32 ", section %" PRId32
           ",%" PRId32 ", map %" PRId32 ",%" PRId32 "\n",
           place->x_m, place->y_m, place->x, place->y, sx, sy, floor_div(sx, SECTION_SECTORS),
           floor_div(sy, SECTION_SECTORS), floor_div(sx, MAP_SECTORS), floor_div(sy, MAP_SECTORS));
    printf("layers:\n");
    for (size_t i = 0; i < place->count; i++) {
        const char *unit = unit_of(world, place->names[i]);
        printf("  %-24s %.6g%s%s\n", place->names[i], (double)place->values[i], unit[0] ? " " : "", unit);
    }
    if (!world->recipe)
        return;
    for (size_t i = 0; i < place->count; i++)
        if (strcmp(place->names[i], "biome_id") == 0) {
            int32_t b = world->recipe->biome_by_id[(uint8_t)place->values[i]];
            printf("biome: %s\n", b < 0 ? "none" : world->recipe->biomes[b].name);
        }
    printf("species:\n");
    print_species(world->recipe, place, trace);
}

static json_t *species_json(const struct recipe *recipe, const struct place *place,
                            struct biome_trace *trace) {
    json_t *list = json_array();
    for (int32_t s = 0; s < recipe->species_count; s++) {
        const struct recipe_species *species = &recipe->species[s];
        float v = biome_viability_trace(recipe, species->step_first, species->step_end, place->recipe_values,
                                        trace);
        json_t *steps = json_array();
        for (int32_t i = 0; i < species->step_end - species->step_first; i++) {
            const struct recipe_step *step = &recipe->steps[trace[i].step];
            json_array_append_new(steps,
                                  json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:i}", "combine",
                                            recipe_combine_names[step->combine], "reads",
                                            step->kind == STEP_LAYER ? recipe->layers[step->layer] : "",
                                            "depth", trace[i].depth, "value", (double)trace[i].read, "ramp",
                                            (double)trace[i].ramp, "given", (double)trace[i].given, "result",
                                            (double)trace[i].result, "line", step->line));
        }
        json_array_append_new(list, json_pack("{s:s, s:f, s:o}", "species", species->name, "viability",
                                              (double)v, "steps", steps));
    }
    return list;
}

static void print_as_json(const struct world *world, const struct place *place, struct biome_trace *trace) {
    json_t *layers = json_object();
    for (size_t i = 0; i < place->count; i++)
        json_object_set_new(layers, place->names[i], json_real((double)place->values[i]));
    json_t *root = json_pack("{s:[f,f], s:[i,i], s:o}", "at_m", place->x_m, place->y_m, "cell", place->x,
                             place->y, "layers", layers);
    if (world->recipe)
        json_object_set_new(root, "species", species_json(world->recipe, place, trace));
    json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    putchar('\n');
    json_decref(root);
}

static enum status place_of(const struct cmd_args *args, const struct world *world, struct place *place,
                            struct error *err) {
    const char *at = cmd_value(args, "--at");
    double n[2];
    if (!at)
        return error_set(err, STATUS_USAGE, "terrane explain needs --at X,Y");
    if (!select_parse_numbers(at, n, 2))
        return error_set(err, STATUS_USAGE, "--at: '%s': write X,Y in metres", at);
    struct selection selection; /* says what is wrong with a place outside */
    enum status status = select_init(&world->extent, &selection, err);
    if (status == STATUS_OK)
        status = select_at(&selection, n[0], n[1], err) == STATUS_OK ? STATUS_OK : error_context(err, "--at");
    select_free(&selection);
    if (status != STATUS_OK)
        return status;
    const struct rect *c = &world->extent.cells;
    place->x_m = n[0];
    place->y_m = n[1];
    place->x = (int32_t)floor(n[0] / world->extent.cell_m);
    place->y = (int32_t)floor(n[1] / world->extent.cell_m);
    place->x -= place->x == c->x1; /* on the world's border: the last cell */
    place->y -= place->y == c->y1;
    return STATUS_OK;
}

static enum status explain(const struct cmd_args *args, const struct world *world, struct error *err) {
    struct place place = {0};
    long threads;
    if (!cmd_int(args, "--threads", 1, 1024, os_cpu_count(), &threads))
        return STATUS_USAGE;
    enum status status = place_of(args, world, &place, err);
    if (status != STATUS_OK)
        return status;
    const struct recipe *recipe = world->recipe;
    const char *const *all = NULL;
    const char **names = NULL;
    place.count = list_layers(world, &all, &names);
    place.names = names;
    size_t extra = recipe ? (size_t)recipe->layer_count : 0;
    place.values = calloc(place.count + 1, sizeof(float));
    place.recipe_values = calloc(extra + 1, sizeof(float));
    struct biome_trace *trace = calloc(recipe ? (size_t)recipe->step_count + 1 : 1, sizeof *trace);
    struct look_options look = {cmd_flag(args, "--no-store") ? "" : cmd_value(args, "--store"),
                                (int32_t)threads, (uint64_t)512 << 20};
    if (!names || !place.values || !place.recipe_values || !trace)
        status = error_set(err, STATUS_LIMIT, "out of memory");
    if (status == STATUS_OK)
        status = look_at(world, &look, place.names, place.count, place.x, place.y, place.values, err);
    if (status == STATUS_OK && recipe)
        status = look_at(world, &look, (const char *const *)recipe->layers, extra, place.x, place.y,
                         place.recipe_values, err);
    if (status == STATUS_OK && cmd_flag(args, "--json"))
        print_as_json(world, &place, trace);
    else if (status == STATUS_OK)
        print_text(world, &place, trace);
    free(trace);
    free(place.values);
    free(place.recipe_values);
    free(names);
    gen_layer_names_free(all);
    return status;
}

static enum status run(const struct cmd_args *args) {
    enum status status;
    struct world *world = cmd_load_world(args, false, &status);
    if (!world)
        return status;
    struct error err = {0};
    status = explain(args, world, &err);
    if (status != STATUS_OK && err.message[0])
        print_failure(&err);
    world_free(world);
    return status;
}

const struct cmd_command cmd_explain = {
    .name = "explain",
    .usage = "WORLD --at X,Y",
    .summary = "say everything that is known of a place",
    .details = "Every layer's value there, and for each species of the recipe its viability step by step.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run,
};
