#include "gen/objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t object_id(const char *asset) {
    return recipe_object_id(asset);
}

static int by_id_then_place(const void *a, const void *b) {
    const struct object *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->species != y->species)
        return x->species < y->species ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return (x->variation > y->variation) - (x->variation < y->variation);
}

static const struct recipe_size *size_of(const struct recipe *recipe, const struct object *o) {
    return &recipe->species[o->species].sizes[o->size];
}

/* NULL: the class's own asset. */
static const struct recipe_variation *variation_of(const struct recipe *recipe, const struct object *o) {
    return o->variation < 0 ? NULL : &recipe->variations[size_of(recipe, o)->variation_first + o->variation];
}

static const char *asset_of(const struct recipe *recipe, const struct object *o) {
    const struct recipe_variation *v = variation_of(recipe, o);
    return v ? v->asset : size_of(recipe, o)->asset;
}

static size_t add_size(const struct recipe *recipe, int32_t species, int32_t k, struct object *items) {
    const struct recipe_size *size = &recipe->species[species].sizes[k];
    items[0] = (struct object){size->object_id ? size->object_id : object_id(size->asset), species, k, -1};
    for (int32_t v = 0; v < size->variation_count; v++)
        items[1 + v] =
            (struct object){recipe->variations[size->variation_first + v].object_id, species, k, v};
    return 1 + (size_t)size->variation_count;
}

enum status objects_of(const struct recipe *recipe, struct object_table *table, struct error *err) {
    *table = (struct object_table){NULL, 0};
    size_t room = 1, count = 0;
    for (int32_t s = 0; recipe && s < recipe->species_count; s++)
        room += (size_t)recipe->species[s].size_count;
    room += recipe ? (size_t)recipe->variation_count : 0;
    struct object *items = calloc(room, sizeof *items);
    if (!items)
        return error_set(err, STATUS_LIMIT, "out of memory");
    for (int32_t s = 0; recipe && s < recipe->species_count; s++)
        for (int32_t i = 0; i < recipe->species[s].size_count; i++)
            count += add_size(recipe, s, i, items + count);
    qsort(items, count, sizeof *items, by_id_then_place);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || items[i].id != items[kept - 1].id) {
            items[kept++] = items[i];
            continue;
        }
        const char *a = asset_of(recipe, &items[kept - 1]), *b = asset_of(recipe, &items[i]);
        if (strcmp(a, b) == 0)
            continue;
        enum status status = error_at(
            err, STATUS_INPUT, recipe->files[recipe->species[items[i].species].file],
            recipe->species[items[i].species].line, 0,
            "the assets '%s' and '%s' have the same object id %u; rename one", a, b, (unsigned)items[i].id);
        free(items);
        return status;
    }
    *table = (struct object_table){items, kept};
    return STATUS_OK;
}

void objects_free(struct object_table *table) {
    free(table->items);
    *table = (struct object_table){NULL, 0};
}

const struct object *objects_find(const struct object_table *table, uint32_t id) {
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->items[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < table->count && table->items[low].id == id ? &table->items[low] : NULL;
}

/* Floats of a recipe as short decimals: the nearest with six digits. */
static json_t *short_json(float v) {
    char text[32];
    snprintf(text, sizeof text, "%.6g", (double)v);
    return json_real(strtod(text, NULL));
}

static json_t *object_json(const struct recipe *recipe, const struct object *o) {
    const struct recipe_species *s = &recipe->species[o->species];
    const struct recipe_size *size = size_of(recipe, o);
    const struct recipe_variation *v = variation_of(recipe, o);
    const uint8_t *rgb = v && v->colored ? v->color : s->color;
    char color[8];
    snprintf(color, sizeof color, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:i, s:o, s:o, s:o, s:s, s:o, s:s}", "name", s->name, "asset",
        asset_of(recipe, o), "kind", s->kind ? s->kind : "", "species", s->name, "size", (int)o->size,
        "variation", (int)(o->variation + 1), "height_m", short_json(size->height_m), "scale",
        json_pack("[o,o]", short_json(size->scale[0]), short_json(size->scale[1])), "ground_tint",
        short_json(v ? v->ground_tint : size->ground_tint), "crown", recipe_crown_names[s->crown],
        "crown_radius_m", short_json(recipe_crown_radius_m(s, size->height_m)), "color", color);
}

json_t *objects_json(const struct recipe *recipe, const struct object_table *table) {
    json_t *objects = json_object();
    for (size_t i = 0; i < table->count; i++) {
        char id[16];
        snprintf(id, sizeof id, "%u", (unsigned)table->items[i].id);
        json_object_set_new(objects, id, object_json(recipe, &table->items[i]));
    }
    return json_pack("{s:i, s:o}", "terrane", 1, "objects", objects);
}
