#include "gen/names.h"

#include "biome/recipe.h"
#include "gen/stages_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool can_have_voids(const struct world *world) {
    if (world->height.has_nodata)
        return true;
    for (size_t i = 0; i < world->height.source.file_count; i++)
        if (!world->height.source.files[i].present)
            return true;
    return false;
}

bool gen_layer_resolve(const struct world *world, const char *name, char out[STAGE_ARG_MAX]) {
    int32_t output;
    char arg[STAGE_ARG_MAX];
    if (strcmp(name, "ground") == 0)
        name =
            world_has_tool(world, TOOL_FRESHWATER) ? "ground_water" : "height_in"; /* the last shape tool's */
    if (strcmp(name, "height_in") == 0 && !can_have_voids(world))
        name = "height_raw";
    if (strlen(name) + sizeof "mask." > STAGE_ARG_MAX)
        return false;
    if (world_find_mask(world, name))
        snprintf(out, STAGE_ARG_MAX, "mask.%s", name);
    else
        snprintf(out, STAGE_ARG_MAX, "%s", name);
    return stage_find(out, &output, arg) != NULL;
}

const struct layer_info *gen_stage_layer(const struct world *world, const struct stage *stage,
                                         const char *arg, int32_t output) {
    const struct world_mask *mask = stage == &stage_mask ? world_find_mask(world, arg) : NULL;
    return mask && mask->legend_count > 0 ? &layer_mask_ids : &stage->outputs[output];
}

const struct layer_info *gen_layer_info(const struct world *world, const char *name) {
    char resolved[STAGE_ARG_MAX], arg[STAGE_ARG_MAX];
    int32_t output;
    if (!gen_layer_resolve(world, name, resolved))
        return NULL;
    const struct stage *stage = stage_find(resolved, &output, arg);
    struct stage_inputs inputs = {0};
    if (arg[0] && stage->inputs && stage->inputs(world, arg, &inputs, NULL) != STATUS_OK)
        return NULL; /* "noise.*" is made, but no noise has this name */
    return gen_stage_layer(world, stage, arg, output);
}

struct name_list {
    const char **names; /* NULL while counting */
    char *text;         /* NULL while counting */
    size_t count, bytes;
};

static void add(struct name_list *list, const char *head, const char *tail) {
    size_t size = strlen(head) + strlen(tail) + 1;
    if (list->names) {
        list->names[list->count] = list->text + list->bytes;
        snprintf(list->text + list->bytes, size, "%s%s", head, tail);
    }
    list->count++;
    list->bytes += size;
}

/* Whether this world can have the stage's layers: a stage says no where it lacks what it reads (a recipe). */
static bool usable(const struct world *world, const struct stage *stage) {
    struct stage_inputs inputs = {0};
    struct error err;
    return !stage->inputs || stage->inputs(world, "", &inputs, &err) == STATUS_OK;
}

static void add_all(const struct world *world, struct name_list *list) {
    for (const struct stage *const *stage = stage_table; *stage; stage++)
        for (int32_t o = 0; o < STAGE_OUTPUTS_MAX && (*stage)->outputs[o].name; o++) {
            const struct layer_info *layer = &(*stage)->outputs[o];
            if (layer->type != LAYER_BLOB && !strchr(layer->name, '*') && usable(world, *stage))
                add(list, layer->name, "");
        }
    add(list, "ground", "");
    for (size_t i = 0; i < world->mask_count; i++)
        add(list, world->masks[i].source.name, "");
    for (size_t i = 0; i < world->noise_count; i++)
        add(list, "noise.", world->noises[i].name);
    for (size_t i = 0; i < world->mask_count; i++)
        add(list, "distance.", world->masks[i].source.name);
    for (int32_t i = 0; world->recipe && i < world->recipe->mask_count; i++)
        add(list, "mask_", world->recipe->masks[i]);
    for (int32_t i = 0; world->recipe && i < world->recipe->mask_count; i++)
        add(list, "distance.mask_", world->recipe->masks[i]);
    for (int32_t i = 0; world->recipe && i < world->recipe->species_count; i++)
        if (world->recipe->species[i].age.max_m > 0)
            add(list, "age_", world->recipe->species[i].name);
    add(list, "distance.", "placed");
    add(list, "distance.", "void");
    if (world_has_tool(world, TOOL_FRESHWATER))
        add(list, "distance.", "water");
    if (world_has_tool(world, TOOL_CLIFFS)) {
        add(list, "distance.", "cliffs");
        add(list, "distance.", "erosion");
        add(list, "distance.", "ledges");
    }
}

size_t gen_layer_names(const struct world *world, const char *const **names) {
    struct name_list list = {0};
    *names = NULL;
    add_all(world, &list);
    size_t count = list.count;
    const char **block = malloc(count * sizeof *block + list.bytes);
    if (!block)
        return 0;
    list = (struct name_list){block, (char *)(block + count), 0, 0};
    add_all(world, &list);
    *names = block;
    return count;
}

void gen_layer_names_free(const char *const *names) {
    union { /* one block of gen_layer_names */
        const char *const *seen;
        void *owned;
    } block = {.seen = names};
    free(block.owned);
}
