#include "gen/recipe_sizes.h"

#include "gen/recipe_species.h"

/* The engine's own id where it is given. */
static uint32_t read_object_id(struct recipe_reading *r, struct yaml_node *map, const char *asset) {
    int64_t id;
    if (yaml_get_i64(map, "object_id", 1, UINT32_MAX, &id, r->report))
        return (uint32_t)id;
    return asset ? recipe_object_id(asset) : 0;
}

static void read_variation(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s,
                           struct recipe_size *size) {
    struct recipe *recipe = r->recipe;
    struct recipe_variation v = {.weight = 1.0f, .ground_tint = size->ground_tint};
    const char *asset = "";
    if (map->kind != YAML_MAP) {
        yaml_complain(map, r->report, "a variation is a map, as in {asset: spruce_dead, weight: 0.02}");
        return;
    }
    if (!yaml_get(map, "asset"))
        yaml_complain(map, r->report, "a variation needs an 'asset'");
    yaml_get_text(map, "asset", &asset, r->report);
    recipe_read_f32(r, map, "weight", 0.0, 1000.0, "", &v.weight);
    recipe_read_f32(r, map, "ground_tint", 0.0, 1.0, "", &v.ground_tint);
    v.colored = yaml_get(map, "color") != NULL;
    recipe_read_color(r, map, v.color);
    v.object_id = read_object_id(r, map, asset);
    yaml_unknown_keys(map, "a variation", r->report);
    if (size->variation_count == RECIPE_VARIATIONS_MAX) {
        yaml_complain(map, r->report, "a size class of '%s' has more than %d variations", s->name,
                      (int)RECIPE_VARIATIONS_MAX);
        return;
    }
    if (!recipe_grow(r, (void **)&recipe->variations, &r->variation_room, (size_t)recipe->variation_count,
                     sizeof *recipe->variations))
        return;
    v.asset = recipe_copy_text(r, map, asset);
    recipe->variations[recipe->variation_count++] = v;
    size->variation_count++;
}

/* `ground_tint`, `variations` and `object_id` of a size class, or of a species that has one. */
static void read_assets(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s,
                        struct recipe_size *size, const char *asset) {
    struct yaml_node *list = yaml_get_list(map, "variations", r->report);
    size->asset = recipe_copy_text(r, map, asset);
    size->object_id = read_object_id(r, map, size->asset);
    size->variation_first = r->recipe->variation_count;
    for (size_t i = 0; list && i < list->count && !r->stopped; i++)
        read_variation(r, list->items[i], s, size);
}

static void read_size(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s, int32_t k) {
    struct recipe_size *size = &s->sizes[k];
    const char *asset = s->name;
    double scale[2] = {1.0, 1.0};
    *size = (struct recipe_size){.height_m = 1.0f, .scale = {1.0f, 1.0f}, .ground_tint = s->ground_tint};
    if (map->kind != YAML_MAP) {
        yaml_complain(map, r->report,
                      "a size class is a map, as in {from: 0.5, height_m: 30, asset: spruce_30}");
    } else {
        recipe_read_f32(r, map, "from", 0.0, 1000.0, "", &size->from);
        if (!yaml_get(map, "height_m"))
            yaml_complain(map, r->report, "a size class needs 'height_m'");
        recipe_read_f32(r, map, "height_m", 0.01, 200.0, "m", &size->height_m);
        yaml_get_text(map, "asset", &asset, r->report);
        if (yaml_get_f64_list(map, "scale", 2, 0.05, 20.0, "", scale, r->report)) {
            size->scale[0] = (float)scale[0];
            size->scale[1] = (float)scale[1];
        } else {
            size->scale[1] = 0.0f; /* to the next class, once it is known */
        }
        recipe_read_f32(r, map, "ground_tint", 0.0, 1.0, "", &size->ground_tint);
        read_assets(r, map, s, size, asset);
        yaml_unknown_keys(map, "a size class", r->report);
        return;
    }
    size->asset = recipe_copy_text(r, map, asset);
}

static void check_order(struct recipe_reading *r, const struct yaml_node *list,
                        const struct recipe_species *s) {
    if (s->sizes[0].from != 0.0f)
        yaml_complain(list->items[0], r->report,
                      "the first size class must begin at viability 0: what would stand below %g?",
                      (double)s->sizes[0].from);
    for (int32_t k = 1; k < s->size_count; k++) {
        const struct recipe_size *a = &s->sizes[k - 1], *b = &s->sizes[k];
        if (!(b->from > a->from))
            yaml_complain(list->items[k], r->report,
                          "size classes out of order: 'from' must rise, %g follows %g", (double)b->from,
                          (double)a->from);
        if (!(b->height_m > a->height_m))
            yaml_complain(list->items[k], r->report,
                          "size classes out of order: 'height_m' must rise with viability, %g follows %g",
                          (double)b->height_m, (double)a->height_m);
    }
}

static void read_size_list(struct recipe_reading *r, struct yaml_node *list, struct recipe_species *s) {
    size_t count = list->count;
    if (count == 0 || count > RECIPE_CLASSES_MAX) {
        yaml_complain(list, r->report, "'sizes' holds 1 to %d classes, not %d", (int)RECIPE_CLASSES_MAX,
                      (int)(count < 100000 ? count : 100000));
        count = count ? RECIPE_CLASSES_MAX : 0;
    }
    for (size_t k = 0; k < count; k++)
        read_size(r, list->items[k], s, s->size_count++);
    if (count == 0)
        return;
    check_order(r, list, s);
    for (int32_t k = 0; k < s->size_count; k++)
        if (s->sizes[k].scale[1] == 0.0f)
            s->sizes[k].scale[1] = k + 1 < s->size_count ? s->sizes[k + 1].height_m *
                                                               s->sizes[k + 1].scale[0] / s->sizes[k].height_m
                                                         : 1.0f;
}

/* What goes with height_m does not go with `sizes`; defaults may hold both, of which a species takes one. */
static void refuse_one_size(struct recipe_reading *r, struct yaml_node *map) {
    static const char *const keys[] = {"asset", "variations", "object_id"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct yaml_node *node = yaml_get(map, keys[i]);
        if (node && !r->partial)
            yaml_complain(node, r->report, "'%s' goes with 'height_m': each of 'sizes' has its own", keys[i]);
    }
}

/* Either `sizes`, or one class from `height_m: [least, most]` and `asset`. */
void recipe_read_sizes(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s) {
    struct yaml_node *list = yaml_get_list(map, "sizes", r->report);
    const char *asset = s->name;
    double height[2] = {1.0, 1.0}, random[2] = {1.0, 1.0};
    recipe_read_f32(r, map, "ground_tint", 0.0, 1.0, "", &s->ground_tint);
    s->size_full = 1.0f;
    recipe_read_f32(r, map, "size_full", 0.001, 1000.0, "", &s->size_full);
    s->size_jitter = 0.2f;
    recipe_read_f32(r, map, "size_jitter", 0.0, 1.0, "", &s->size_jitter);
    if (yaml_get_f64_list(map, "scale_random", 2, 0.1, 10.0, "", random, r->report) && random[0] > random[1])
        yaml_complain(yaml_get(map, "scale_random"), r->report, "'scale_random' begins above its end");
    s->scale_random[0] = (float)random[0];
    s->scale_random[1] = (float)random[1];
    if (list && yaml_get(map, "height_m") && !r->partial)
        yaml_complain(yaml_get(map, "height_m"), r->report, "'sizes' says the heights: leave out 'height_m'");
    if (list) {
        refuse_one_size(r, map);
        read_size_list(r, list, s);
        return;
    }
    if (!yaml_get(map, "height_m") && !yaml_get(map, "sizes") && !r->partial)
        yaml_complain(map, r->report, "species '%s' needs 'height_m: [least, most]' or 'sizes'", s->name);
    if (yaml_get_f64_list(map, "height_m", 2, 0.01, 200.0, "m", height, r->report) && height[0] > height[1])
        yaml_complain(yaml_get(map, "height_m"), r->report, "'height_m' begins above its end");
    yaml_get_text(map, "asset", &asset, r->report);
    s->size_count = 1;
    s->sizes[0] = (struct recipe_size){.height_m = (float)height[1],
                                       .scale = {(float)(height[0] / height[1]), 1.0f},
                                       .ground_tint = s->ground_tint};
    read_assets(r, map, s, &s->sizes[0], asset);
}
