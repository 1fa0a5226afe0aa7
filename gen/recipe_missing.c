#include "gen/recipe_missing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A layer that is missing, and where it is read: a species that is `like` another has its places. */
struct recipe_missing {
    char *name;
    size_t item; /* of the report */
    struct missing_place {
        const char *file;
        int32_t line, column;
    } * places;
    size_t count;
};

static bool starts(const char *name, const char *head) {
    return strncmp(name, head, strlen(head)) == 0;
}

/* What a layer's name begins with when it is one of a kind. */
static const char *head_of(const char *name) {
    static const char *const heads[] = {"mask_", "distance.mask_", "distance.", "noise.", "age_"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (starts(name, heads[i]))
            return heads[i];
    return "";
}

static bool is_species(const struct recipe *recipe, const char *name) {
    for (int32_t i = 0; i < recipe->species_count; i++)
        if (strcmp(recipe->species[i].name, name) == 0)
            return true;
    return false;
}

/* A name of the same kind whose rest is much alike. */
static bool nearest(const struct recipe_reading *r, const char *name, char out[128]) {
    const char *head = head_of(name);
    const struct recipe *recipe = r->recipe;
    size_t count = 0, room = r->name_count + (size_t)recipe->mask_count + (size_t)recipe->species_count;
    const char **names = calloc(room + 1, sizeof *names);
    for (size_t i = 0; names && i < r->name_count; i++)
        if (starts(r->names[i], head))
            names[count++] = r->names[i] + strlen(head);
    for (int32_t m = 0; names && strstr(head, "mask_") && m < recipe->mask_count; m++)
        names[count++] = recipe->masks[m];
    for (int32_t i = 0; names && strcmp(head, "age_") == 0 && i < recipe->species_count; i++)
        if (recipe->species[i].age.max_m > 0.0f)
            names[count++] = recipe->species[i].name;
    const char *near = names ? report_suggest(name + strlen(head), names, count) : NULL;
    if (near)
        snprintf(out, 128, "%s%s", head, near);
    free(names);
    return near != NULL;
}

/* The noise, or the mask of a species, that a bare name means. */
static bool without_head(const struct recipe_reading *r, const char *name, char out[128]) {
    char noise[128];
    snprintf(noise, sizeof noise, "noise.%s", name);
    for (size_t i = 0; i < r->name_count; i++)
        if (strcmp(r->names[i], noise) == 0) {
            snprintf(out, 128, "%s", noise);
            return true;
        }
    for (int32_t m = 0; m < r->recipe->mask_count; m++)
        if (strcmp(r->recipe->masks[m], name) == 0) {
            snprintf(out, 128, "mask_%s", name);
            return true;
        }
    return false;
}

/* What to do about it, from ": " on. */
static void advise(const struct recipe_reading *r, const char *name, char out[256]) {
    char near[128] = "", hint[160] = ":";
    const char *head = head_of(name), *rest = name + strlen(head);
    bool found = without_head(r, name, near) || nearest(r, name, near);
    if (found)
        snprintf(hint, sizeof hint, ": did you mean '%s'?", near);
    if (strcmp(head, "noise.") == 0 && rest[0] && (!found || starts(near, name)))
        snprintf(out, 256, "%s%s define it, as in noise: {%s: {scale_m: 32}}", hint, found ? " Else" : "",
                 rest);
    else if (strcmp(head, "age_") == 0 && is_species(r->recipe, rest))
        snprintf(out, 256, ": give '%s' an age, as in age: {max_m: 20}", rest);
    else if (found)
        snprintf(out, 256, "%s", hint);
    else if (strcmp(head, "age_") == 0)
        snprintf(out, 256, ": no species of that name has an 'age'");
    else if (strcmp(head, "distance.") == 0)
        snprintf(out, 256, ": world.yaml has no mask '%s'", rest);
    else if (head[0] && strcmp(head, "noise.") != 0)
        snprintf(out, 256, ": no species writes a mask of that name");
    else
        snprintf(out, 256,
                 ": neither a layer nor a mask of world.yaml (`terrane layer WORLD --list` names them all)");
}

static struct recipe_missing *find(struct recipe_reading *r, const char *name) {
    for (size_t i = 0; i < r->missing_count; i++)
        if (strcmp(r->missing[i].name, name) == 0)
            return &r->missing[i];
    return NULL;
}

static struct recipe_missing *begin(struct recipe_reading *r, const struct yaml_node *at, const char *name) {
    char advice[256];
    advise(r, name, advice);
    size_t item = r->report->count;
    yaml_complain(at, r->report, "unknown layer '%s'%s", name, advice);
    char *copy = strdup(name);
    if (!copy ||
        !recipe_grow(r, (void **)&r->missing, &r->missing_room, r->missing_count, sizeof *r->missing)) {
        free(copy);
        return NULL;
    }
    struct recipe_missing *m = &r->missing[r->missing_count++];
    *m = (struct recipe_missing){.name = copy, .item = item};
    return m;
}

void recipe_miss_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name) {
    char advice[256];
    if (r->partial) { /* what nobody takes is read by nobody */
        advise(r, name, advice);
        yaml_complain(at, r->report, "unknown layer '%s'%s", name, advice);
    }
    if (r->report != r->loud)
        return; /* a named stack is read again: it was told of where it stands */
    struct recipe_missing *m = find(r, name);
    if (!m && !(m = begin(r, at, name)))
        return;
    for (size_t i = 0; i < m->count; i++)
        if (m->places[i].line == at->line && m->places[i].column == at->column &&
            strcmp(m->places[i].file, at->file) == 0)
            return;
    struct missing_place *more = realloc(m->places, (m->count + 1) * sizeof *more);
    if (!more)
        return;
    m->places = more;
    more[m->count++] = (struct missing_place){at->file, at->line, at->column};
}

void recipe_tell_missing(struct recipe_reading *r) {
    for (size_t i = 0; i < r->missing_count; i++) {
        struct recipe_missing *m = &r->missing[i];
        if (m->count > 1)
            report_extend(r->loud, m->item, " (%zu places read it)", m->count);
        free(m->name);
        free(m->places);
    }
    free(r->missing);
    r->missing = NULL;
    r->missing_count = 0;
}
