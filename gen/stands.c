#include "gen/stands.h"

#include "gen/manifest.h"
#include <stdio.h>
#include <stdlib.h>

static json_int_t count_of(const json_t *counts, uint32_t object_id) {
    char id[16];
    snprintf(id, sizeof id, "%u", (unsigned)object_id);
    return json_integer_value(json_object_get(counts, id));
}

/* Whether an earlier class of the species shows that variation as well: it has its count. */
static bool counted(const struct recipe *recipe, const struct recipe_species *s, int32_t k, uint32_t id) {
    for (int32_t i = 0; i < k; i++) {
        const struct recipe_size *size = &s->sizes[i];
        for (int32_t v = size->variation_first; v < size->variation_first + size->variation_count; v++)
            if (recipe->variations[v].object_id == id)
                return true;
    }
    return false;
}

static json_int_t count_size(const struct recipe *recipe, const struct recipe_species *s, int32_t k,
                             const json_t *counts) {
    const struct recipe_size *size = &s->sizes[k];
    json_int_t sum = count_of(counts, size->object_id);
    for (int32_t v = size->variation_first; v < size->variation_first + size->variation_count; v++)
        if (!counted(recipe, s, k, recipe->variations[v].object_id))
            sum += count_of(counts, recipe->variations[v].object_id);
    return sum;
}

json_t *stands_by_species(const struct recipe *recipe, const json_t *counts) {
    json_t *all = json_object();
    for (int32_t s = 0; all && s < recipe->species_count; s++) {
        const struct recipe_species *species = &recipe->species[s];
        json_t *sizes = json_array();
        for (int32_t k = 0; k < species->size_count; k++) {
            json_array_append_new(sizes, json_integer(count_size(recipe, species, k, counts)));
        }
        json_object_set_new(all, species->name, sizes);
    }
    return all;
}

/* Marks the species that stand in one map; false when the manifest does not say. */
static bool mark(const struct recipe *recipe, const json_t *root, bool *stands) {
    const json_t *species = json_object_get(json_object_get(root, "totals"), "species");
    for (int32_t s = 0; species && s < recipe->species_count; s++) {
        const json_t *sizes = json_object_get(species, recipe->species[s].name);
        for (size_t k = 0; k < json_array_size(sizes); k++)
            stands[s] |= json_integer_value(json_array_get(sizes, k)) > 0;
    }
    return species != NULL;
}

enum status stands_report(const struct world *world, const char *out, struct report *report,
                          struct error *err) {
    const struct recipe *recipe = world->recipe;
    struct rect maps = rect_blocks(world->extent.cells, MAP_CELLS);
    bool *stands = calloc((size_t)recipe->species_count + 1, sizeof *stands), said = true;
    enum status status = stands ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
    for (int32_t y = maps.y0; y < maps.y1 && status == STATUS_OK && said; y++)
        for (int32_t x = maps.x0; x < maps.x1 && status == STATUS_OK && said; x++) {
            char path[PATH_TEXT_MAX];
            json_t *root = NULL;
            status = path_format(path, err, "%s/maps/x%d_y%d/manifest.json", out, (int)x, (int)y);
            if (status == STATUS_OK)
                status = manifest_read(path, &root, err);
            said = status == STATUS_OK && mark(recipe, root, stands);
            json_decref(root);
        }
    for (int32_t s = 0; s < recipe->species_count && status == STATUS_OK && said; s++)
        if (!stands[s])
            report_add(
                report, REPORT_WARNING, STATUS_OK, recipe->files[recipe->species[s].file],
                recipe->species[s].line, 0,
                "species '%s' stands nowhere; `terrane explain --at X,Y` says why it does not at a place",
                recipe->species[s].name);
    free(stands);
    return status;
}
