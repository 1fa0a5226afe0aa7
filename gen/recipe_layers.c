#include "gen/recipe_layers.h"

#include "gen/names.h"
#include "gen/recipe_missing.h"
#include <stdlib.h>
#include <string.h>

/* Made from what grows: a species cannot read it, other than by the masks that species write. */
static bool is_product(const char *name) {
    static const char *const products[] = {"biome_id",       "zone_id",         "height",
                                           "height_delta",   "texture_id",      "tint",
                                           "imprint_height", "imprint_texture", "imprint_tint"};
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
        if (strcmp(name, products[i]) == 0)
            return true;
    return false;
}

/* Directions: degrees over the whole turn. */
static bool is_circular(const struct layer_info *info) {
    return info->unit && strcmp(info->unit, "degrees") == 0 && info->max - info->min > 350.0;
}

static bool is_written_mask(const struct recipe *recipe, const char *name) {
    if (strncmp(name, "mask_", 5) != 0)
        return false;
    for (int32_t m = 0; m < recipe->mask_count; m++)
        if (strcmp(recipe->masks[m], name + 5) == 0)
            return true;
    return false;
}

static bool is_age(const struct recipe *recipe, const char *name) {
    for (int32_t i = 0; strncmp(name, "age_", 4) == 0 && i < recipe->species_count; i++)
        if (recipe->species[i].age.max_m > 0.0f && strcmp(recipe->species[i].name, name + 4) == 0)
            return true;
    return false;
}

int32_t recipe_add_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name) {
    struct recipe *recipe = r->recipe;
    for (int32_t l = 0; l < recipe->layer_count; l++)
        if (strcmp(recipe->layers[l], name) == 0)
            return l;
    if (!recipe_grow(r, (void **)&recipe->layers, &r->layer_room, (size_t)recipe->layer_count,
                     sizeof(char *)))
        return -1;
    char *copy = strdup(name);
    if (!copy) {
        recipe_stop(r, at, "out of memory");
        return -1;
    }
    recipe->layers[recipe->layer_count] = copy;
    return recipe->layer_count++;
}

bool recipe_find_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name,
                       struct recipe_step *step, const char **unit) {
    const struct layer_info *info = NULL;
    *unit = "";
    if (is_product(name)) {
        yaml_complain(at, r->report, "'%s' is made from what grows: neither species nor zones can read it",
                      name);
        return false;
    }
    if (is_written_mask(r->recipe, name) || is_age(r->recipe, name)) {
        step->layer_min = 0.0f;
        step->layer_max = 1.0f;
    } else {
        bool of_mask = strncmp(name, "distance.mask_", 14) == 0;
        if (strncmp(name, "mask_", 5) != 0 && (!of_mask || is_written_mask(r->recipe, name + 9)))
            info = gen_layer_info(r->world, name);
        if (!info) {
            recipe_miss_layer(r, at, name);
            return false;
        }
        if (info->type == LAYER_BLOB || info->type == LAYER_RGB8) {
            yaml_complain(at, r->report, "layer '%s' holds no numbers", name);
            return false;
        }
        if (info->like_heights) {
            yaml_complain(at, r->report, "layer '%s' is sampled as the heights are: use 'altitude'", name);
            return false;
        }
        step->layer_min = info->min < info->max ? (float)info->min : 1.0f;
        step->layer_max = info->min < info->max ? (float)info->max : -1.0f;
        *unit = info->unit ? info->unit : "";
    }
    step->circular = info && is_circular(info);
    step->layer = recipe_add_layer(r, at, name);
    return step->layer >= 0;
}

bool recipe_layer_known(const struct recipe_step *step) {
    return step->kind == STEP_LAYER && step->layer_min <= step->layer_max;
}
