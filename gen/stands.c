#include "gen/stands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The species of a class's code, and its size class; NULL: none of the recipe's. */
static const struct recipe_species *species_of(const struct recipe *recipe, uint32_t code, uint32_t *size) {
    uint32_t tier = code >> 16, species = code >> 4 & 0xfff;
    *size = code & 15;
    if (!recipe || tier >= (uint32_t)recipe->tier_count ||
        species >= (uint32_t)recipe->tiers[tier].species_count)
        return NULL;
    const struct recipe_species *s = &recipe->species[recipe->tiers[tier].species[species]];
    return *size < (uint32_t)s->size_count ? s : NULL;
}

static json_t *zeros(const struct recipe_species *s) {
    json_t *sizes = json_array();
    for (int32_t k = 0; k < s->size_count; k++)
        json_array_append_new(sizes, json_integer(0));
    return sizes;
}

static void add(json_t *sizes, size_t k, json_int_t count) {
    json_array_set_new(sizes, k, json_integer(json_integer_value(json_array_get(sizes, k)) + count));
}

json_t *stands_of_part(const struct recipe *recipe, const struct entity_part *part) {
    json_t *all = json_object();
    for (size_t i = 0; all && i < part->class_count; i++) {
        struct entity_class class = entity_part_class(part, i);
        uint32_t size;
        const struct recipe_species *s = species_of(recipe, class.code, &size);
        if (!s)
            continue;
        if (!json_object_get(all, s->name))
            json_object_set_new(all, s->name, zeros(s));
        add(json_object_get(all, s->name), size, class.count);
    }
    return all;
}

json_t *stands_none(const struct recipe *recipe) {
    json_t *all = json_object();
    for (int32_t i = 0; all && recipe && i < recipe->species_count; i++)
        json_object_set_new(all, recipe->species[i].name, zeros(&recipe->species[i]));
    return all;
}

bool stands_add(json_t *sum, const json_t *entry) {
    json_t *species = json_object_get(entry, "species"), *sizes;
    const char *name;
    json_object_foreach(species, name, sizes) {
        json_t *to = json_object_get(sum, name);
        for (size_t k = 0; k < json_array_size(sizes) && k < json_array_size(to); k++)
            add(to, k, json_integer_value(json_array_get(sizes, k)));
    }
    return species || json_integer_value(json_object_get(entry, "entities")) == 0;
}

static bool stands(const json_t *sum, const struct recipe_species *s) {
    const json_t *sizes = json_object_get(sum, s->name);
    for (size_t k = 0; k < json_array_size(sizes); k++)
        if (json_integer_value(json_array_get(sizes, k)) > 0)
            return true;
    return false;
}

/* A library may hold more than a world has room for: what of it stands nowhere is told in one line. */
void stands_report(const struct recipe *recipe, const json_t *sum, struct report *report) {
    char names[480] = "";
    size_t count = 0, left_out = 0;
    for (int32_t s = 0; s < recipe->species_count; s++) {
        const struct recipe_species *species = &recipe->species[s];
        size_t used = strlen(names);
        if (stands(sum, species))
            continue;
        if (species->file == 0) {
            report_add(
                report, REPORT_WARNING, STATUS_OK, recipe->files[0], species->line, 0,
                "species '%s' stands nowhere; `terrane explain --at X,Y` says why it does not at a place",
                species->name);
            continue;
        }
        count++;
        if (left_out > 0 || used + strlen(species->name) + 3 > sizeof names)
            left_out++;
        else
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", species->name);
    }
    if (left_out)
        report_add(report, REPORT_WARNING, STATUS_OK, recipe->files[0], 0, 0,
                   "%zu species of included recipes stand nowhere: %s and %zu more", count, names, left_out);
    else if (count)
        report_add(report, REPORT_WARNING, STATUS_OK, recipe->files[0], 0, 0,
                   "%zu species of included recipes stand nowhere: %s", count, names);
}
