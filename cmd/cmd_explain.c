/* terrane explain: what is known of a place or a plant. */
#include "biome/recipe.h"
#include "biome/viability.h"
#include "cmd/cmd.h"
#include "cmd/explain_print.h"
#include "cmd/print.h"
#include "cmd/world_args.h"
#include "gen/json_text.h"
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
    {"--why-not", "SPECIES", false, "with --at: the first reason why it does not stand there"},
    {"--entity", "ID", false, "a plant by its id: its whole story"},
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
        if (!is_colour(world, name) && strncmp(name, "mask_", 5) != 0 &&
            strncmp(name, "distance.mask_", 14) != 0 &&
            strncmp(name, "age_", 4) != 0 && /* what grows has its own part of the answer */
            (strncmp(name, "distance.", 9) != 0 || gen_layer_info(world, name + 9)))
            (*kept)[count++] = name;
    }
    return count;
}

static const char *unit_of(const struct world *world, const char *name) {
    const struct layer_info *layer = gen_layer_info(world, name);
    return layer && layer->unit ? layer->unit : "";
}

/* What the legend of a painted mask calls an id; NULL: it is no such mask, or has no name for it. */
static const char *legend_name(const struct world *world, const char *name, float id) {
    const struct world_mask *mask = world_find_mask(world, name);
    for (size_t i = 0; mask && i < mask->legend_count; i++)
        if ((float)mask->legend[i].code == id && !mask->legend[i].unpainted)
            return mask->legend[i].name;
    return NULL;
}

static void print_text(const struct world *world, const struct place *place, const struct explain *e) {
    int32_t sx = floor_div(place->x, SECTOR_CELLS), sy = floor_div(place->y, SECTOR_CELLS);
    print_out("place %g,%g m: cell %" PRId32 ",%" PRId32 ", sector %" PRId32 ",%" PRId32 ", section %" PRId32
              ",%" PRId32 ", map %" PRId32 ",%" PRId32 "\n",
              place->x_m, place->y_m, place->x, place->y, sx, sy, floor_div(sx, SECTION_SECTORS),
              floor_div(sy, SECTION_SECTORS), floor_div(sx, MAP_SECTORS), floor_div(sy, MAP_SECTORS));
    print_out("layers:\n");
    for (size_t i = 0; i < place->count; i++) {
        const char *unit = unit_of(world, place->names[i]);
        const char *painted = legend_name(world, place->names[i], place->values[i]);
        print_out("  %-24s %.6g%s%s%s%s%s\n", place->names[i], (double)place->values[i], unit[0] ? " " : "",
                  unit, painted ? " (" : "", painted ? painted : "", painted ? ")" : "");
    }
    if (!e)
        return;
    explain_print_rules(e);
    explain_print_near(e);
    explain_print_tiers(e);
    print_out("species:\n");
    for (int32_t i = 0; i < e->recipe->species_count; i++) {
        const struct recipe_species *s = &e->recipe->species[i];
        struct explain_why why;
        explain_print_steps(e, s, place->x, place->y, 2);
        if (explain_why_not(e, i, &why, NULL) != STATUS_OK)
            continue;
        print_out("    ");
        if (why.reason == EXPLAIN_VIABILITY && why.at_place)
            print_out("does not stand at this spot\n");
        else
            explain_print_why(e, i, &why);
    }
}

static void print_as_json(const struct world *world, const struct place *place, const struct explain *e) {
    json_t *layers = json_object(), *painted = json_object();
    for (size_t i = 0; i < place->count; i++) {
        const char *name = legend_name(world, place->names[i], place->values[i]);
        json_object_set_new(layers, place->names[i], json_real(number_of_float(place->values[i])));
        if (name)
            json_object_set_new(painted, place->names[i], json_string(name));
    }
    json_t *root = json_pack("{s:[f,f], s:[i,i], s:o}", "at_m", place->x_m, place->y_m, "cell", place->x,
                             place->y, "layers", layers);
    json_object_set_new(root, "painted", painted);
    json_t *species = json_array();
    for (int32_t i = 0; e && i < e->recipe->species_count; i++) {
        struct explain_why why;
        json_t *one = explain_json_steps(e, &e->recipe->species[i], place->x, place->y);
        if (explain_why_not(e, i, &why, NULL) == STATUS_OK)
            json_object_set_new(one, "why", explain_json_why(e, i, &why));
        json_array_append_new(species, one);
    }
    if (e) {
        json_object_set_new(root, "home", explain_json_rules(e));
        json_object_set_new(root, "near", explain_json_near(e));
        json_object_set_new(root, "tiers", explain_json_tiers(e));
        json_object_set_new(root, "species", species);
    } else {
        json_decref(species);
    }
    print_json(root);
}

static enum status place_of(const struct cmd_args *args, const struct world *world, struct place *place,
                            struct error *err) {
    const char *at = cmd_value(args, "--at");
    double n[2];
    if (!at)
        return error_set(err, STATUS_USAGE, "terrane explain needs --at X,Y or --entity ID");
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

static enum status look_of(const struct cmd_args *args, struct look_options *look) {
    long threads;
    if (!cmd_int(args, "--threads", 1, 1024, os_cpu_count(), &threads))
        return STATUS_USAGE;
    *look = (struct look_options){cmd_flag(args, "--no-store") ? "" : cmd_value(args, "--store"),
                                  (int32_t)threads, (uint64_t)512 << 20};
    return STATUS_OK;
}

/* --at alone: everything. */
static enum status explain_place(const struct cmd_args *args, const struct world *world,
                                 const struct look_options *look, struct place *place, struct error *err) {
    const char *const *all = NULL;
    const char **names = NULL;
    struct explain *e = NULL;
    place->count = list_layers(world, &all, &names);
    place->names = names;
    place->values = calloc(place->count + 1, sizeof(float));
    enum status status = names && place->values ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
    if (status == STATUS_OK)
        status = look_at(world, look, place->names, place->count, place->x, place->y, place->values, err);
    if (status == STATUS_OK && world->recipe)
        status = explain_make(world, look, &(struct explain_request){place->x_m, place->y_m, 0}, &e, err);
    if (status == STATUS_OK && cmd_flag(args, "--json"))
        print_as_json(world, place, e);
    else if (status == STATUS_OK)
        print_text(world, place, e);
    explain_free(e);
    free(place->values);
    free(names);
    gen_layer_names_free(all);
    return status;
}

/* --at with --why-not. */
static enum status explain_species(const struct cmd_args *args, const struct world *world,
                                   const struct look_options *look, const struct place *place,
                                   const char *name, struct error *err) {
    const struct recipe *recipe = world->recipe;
    struct explain *e = NULL;
    struct explain_why why;
    int32_t species = -1;
    if (!recipe)
        return error_set(err, STATUS_USAGE, "--why-not: the world has no recipe ('biomes:')");
    for (int32_t i = 0; i < recipe->species_count; i++)
        if (strcmp(recipe->species[i].name, name) == 0)
            species = i;
    if (species < 0) {
        const char **names = calloc((size_t)recipe->species_count + 1, sizeof *names);
        char hint[128] = "";
        for (int32_t i = 0; names && i < recipe->species_count; i++)
            names[i] = recipe->species[i].name;
        error_set(err, STATUS_USAGE, "--why-not: there is no species '%s'%s", name,
                  names ? cmd_suggest(name, names, (size_t)recipe->species_count, hint) : "");
        free(names);
        return STATUS_USAGE;
    }
    enum status status =
        explain_make(world, look, &(struct explain_request){place->x_m, place->y_m, 0}, &e, err);
    if (status == STATUS_OK)
        status = explain_why_not(e, species, &why, err);
    if (status == STATUS_OK && cmd_flag(args, "--json")) {
        json_t *root = explain_json_why(e, species, &why);
        json_object_set_new(root, "around", explain_json_around(e, species));
        print_json(root);
    } else if (status == STATUS_OK) {
        explain_print_why_not(e, species, &why);
    }
    explain_free(e);
    return status;
}

static bool parse_id(const char *text, uint64_t *id) {
    size_t n = 0;
    *id = 0;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    for (; n < 17 && text[n]; n++) {
        const char *digits = "0123456789abcdef", *at = strchr(digits, text[n] | 0x20);
        if (!at)
            return false;
        *id = *id << 4 | (uint64_t)(at - digits);
    }
    return n >= 1 && n <= 16;
}

/* --entity. */
static enum status explain_entity(const struct cmd_args *args, const struct world *world,
                                  const struct look_options *look, const char *text, struct error *err) {
    struct explain *e = NULL;
    struct explain_origin origin;
    struct explain_why why;
    uint64_t id;
    if (!parse_id(text, &id))
        return error_set(err, STATUS_USAGE,
                         "--entity: '%s': write up to 16 hexadecimal digits, id_hi before id_lo", text);
    if (!world->recipe)
        return error_set(err, STATUS_USAGE, "--entity: the world has no recipe ('biomes:')");
    const struct rect *c = &world->extent.cells;
    if (!explain_find_id(world, id, &origin) || origin.story.x < c->x0 || origin.story.x >= c->x1 ||
        origin.story.y < c->y0 || origin.story.y >= c->y1)
        return error_set(
            err, STATUS_USAGE,
            "--entity: no species of the recipe has the id %016" PRIx64 " anywhere in this world", id);
    struct explain_request at = {origin.story.x_q / 1024.0, origin.story.y_q / 1024.0, id};
    enum status status = explain_make(world, look, &at, &e, err);
    if (status == STATUS_OK)
        status = explain_why_not(e, origin.species, &why, err);
    if (status == STATUS_OK && cmd_flag(args, "--json"))
        print_json(explain_json_entity(e, &origin, &why));
    else if (status == STATUS_OK)
        explain_print_entity(e, &origin, &why);
    explain_free(e);
    return status;
}

static enum status explain(const struct cmd_args *args, const struct world *world, struct error *err) {
    const char *entity = cmd_value(args, "--entity"), *species = cmd_value(args, "--why-not");
    struct place place = {0};
    struct look_options look;
    if (entity && (species || cmd_value(args, "--at")))
        return error_set(err, STATUS_USAGE, "--entity says where: leave out --at and --why-not");
    enum status status = look_of(args, &look);
    if (status == STATUS_OK && entity)
        return explain_entity(args, world, &look, entity, err);
    if (status == STATUS_OK)
        status = place_of(args, world, &place, err);
    if (status != STATUS_OK)
        return status;
    return species ? explain_species(args, world, &look, &place, species, err)
                   : explain_place(args, world, &look, &place, err);
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
    .usage = "WORLD (--at X,Y [--why-not SPECIES] | --entity ID)",
    .summary = "say everything that is known of a place or a plant",
    .details = "Of a place: layers, rules of zones, what stands near, who drew, won and was beaten by whom, "
               "and each\n"
               "species' viability step by step. Of a plant: the same, its rivals, size, age and tint.",
    .min_words = 1,
    .max_words = 1,
    .options = options,
    .run = run,
};
