#include "gen/recipe_objects.h"

#include <stdlib.h>
#include <string.h>

/* An asset as a size class or a variation names it. */
struct named {
    const char *asset;
    uint32_t id;
    int32_t species, order;
};

static int by_asset(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    int c = strcmp(x->asset, y->asset);
    return c ? c : (x->order > y->order) - (x->order < y->order);
}

static int by_id(const void *a, const void *b) {
    const struct named *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static size_t list_assets(const struct recipe *recipe, struct named *out) {
    size_t n = 0;
    for (int32_t i = 0; i < recipe->species_count; i++)
        for (int32_t k = 0; k < recipe->species[i].size_count; k++) {
            const struct recipe_size *size = &recipe->species[i].sizes[k];
            out[n] = (struct named){size->asset, size->object_id, i, (int32_t)n};
            n++;
            for (int32_t v = size->variation_first; v < size->variation_first + size->variation_count;
                 v++, n++)
                out[n] = (struct named){recipe->variations[v].asset, recipe->variations[v].object_id, i,
                                        (int32_t)n};
        }
    return n;
}

static size_t count_assets(const struct recipe *recipe) {
    size_t n = (size_t)recipe->variation_count;
    for (int32_t i = 0; i < recipe->species_count; i++)
        n += (size_t)recipe->species[i].size_count;
    return n;
}

/* Each asset against the first of its name, and of its id. */
static void compare(struct recipe_reading *r, struct yaml_node *species, const struct named *a,
                    const struct named *b) {
    const struct recipe_species *s = r->recipe->species;
    struct yaml_node *at = yaml_get(species, s[b->species].name);
    bool same_asset = strcmp(a->asset, b->asset) == 0;
    if (same_asset && a->id != b->id)
        yaml_complain(at, r->report, "asset '%s' has two object ids, %u (%s) and %u (%s)", a->asset,
                      (unsigned)a->id, s[a->species].name, (unsigned)b->id, s[b->species].name);
    else if (!same_asset && a->id == b->id)
        yaml_complain(at, r->report,
                      "assets '%s' (%s) and '%s' (%s) have the same object id %u: give one an 'object_id'",
                      a->asset, s[a->species].name, b->asset, s[b->species].name, (unsigned)a->id);
}

void recipe_check_objects(struct recipe_reading *r, struct yaml_node *species) {
    struct named *all = malloc((count_assets(r->recipe) + 1) * sizeof *all);
    if (!all) {
        recipe_stop(r, species, "out of memory");
        return;
    }
    size_t n = list_assets(r->recipe, all), first = 0;
    qsort(all, n, sizeof *all, by_asset);
    for (size_t i = 1; i < n; i++) {
        first = strcmp(all[i].asset, all[first].asset) == 0 ? first : i;
        compare(r, species, &all[first], &all[i]);
    }
    qsort(all, n, sizeof *all, by_id);
    for (size_t i = 1, start = 0; i < n; i++) {
        start = all[i].id == all[start].id ? start : i;
        compare(r, species, &all[start], &all[i]);
    }
    free(all);
}
