#include "gen/recipe_expand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIKE_DEPTH_MAX = 16 };

struct expanding {
    struct yaml_node *species; /* a map */
    struct report *report;
    size_t left; /* nodes that may still be copied */
    bool whole;  /* no file was refused: what is not there is nowhere */
    bool stopped;
};

static void stop(struct expanding *e, const struct yaml_node *at) {
    if (!e->stopped)
        report_add(e->report, REPORT_ERROR, STATUS_LIMIT, at->file, at->line, at->column,
                   "'like' and 'defaults' expand to more than %d values, or there is no memory for them",
                   (int)YAML_NODES_MAX);
    e->stopped = true;
}

/* Whether `to` says by other keys what this one is about: `sizes`, or one size by `height_m` and what goes
 * with it. */
static bool said_otherwise(const struct yaml_node *to, const char *key) {
    static const char *const one_size[] = {"height_m", "asset", "object_id", "variations"};
    for (size_t i = 0; i < sizeof one_size / sizeof *one_size; i++)
        if (strcmp(key, one_size[i]) == 0)
            return yaml_has(to, "sizes");
    return strcmp(key, "sizes") == 0 && yaml_has(to, "height_m");
}

/* Copies what `to` does not say. */
static void fill(struct expanding *e, struct yaml_node *to, const struct yaml_node *from) {
    size_t count = from->count; /* a species may be filled from itself only by mistake: keys repeat then */
    for (size_t i = 0; i < count && !e->stopped; i++) {
        const struct yaml_node *key = from->keys[i];
        if (yaml_has(to, key->text) || strcmp(key->text, "like") == 0 || said_otherwise(to, key->text))
            continue;
        struct yaml_node *new_key = yaml_copy(key, &e->left);
        struct yaml_node *item = new_key ? yaml_copy(from->items[i], &e->left) : NULL;
        if (!yaml_add(to, new_key, item))
            stop(e, key);
    }
}

/* ---- like ---- */

static struct yaml_node *species_named(const struct expanding *e, const char *name) {
    for (size_t i = 0; i < e->species->count; i++)
        if (strcmp(e->species->keys[i]->text, name) == 0)
            return e->species->items[i]->kind == YAML_MAP ? e->species->items[i] : NULL;
    return NULL;
}

static struct yaml_node *other_of(struct expanding *e, struct yaml_node *map) {
    struct yaml_node *at = yaml_get(map, "like");
    const char *name;
    if (!at || !yaml_as_text(at, "like", &name, e->report))
        return NULL;
    struct yaml_node *other = species_named(e, name);
    if (other)
        return other;
    const char *near = yaml_near_key(e->species, name);
    yaml_complain(at, e->report, "'like': there is no species '%s'%s%s%s", name,
                  near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
    return NULL;
}

static const char *name_of(const struct expanding *e, const struct yaml_node *map) {
    for (size_t i = 0; i < e->species->count; i++)
        if (e->species->items[i] == map)
            return e->species->keys[i]->text;
    return "";
}

static void complain_cycle(struct expanding *e, struct yaml_node *const *chain, int32_t first, int32_t count,
                           const struct yaml_node *at) {
    char text[ERROR_MESSAGE_MAX - 64];
    size_t used = 0;
    for (int32_t i = first; i < count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s is like ", name_of(e, chain[i]));
    if (used < sizeof text)
        snprintf(text + used, sizeof text - used, "%s", name_of(e, chain[first]));
    yaml_complain(at, e->report, "'like' goes in a circle: %s", text);
}

/* The farthest first, so that each finds the one that it is like complete. */
static void take_likes(struct expanding *e, struct yaml_node *map) {
    struct yaml_node *chain[LIKE_DEPTH_MAX];
    int32_t count = 0;
    for (struct yaml_node *at = map; at; at = other_of(e, at)) {
        for (int32_t i = 0; i < count; i++)
            if (chain[i] == at) {
                complain_cycle(e, chain, i, count, yaml_get(chain[count - 1], "like"));
                yaml_remove(chain[count - 1], "like");
                return;
            }
        if (count == LIKE_DEPTH_MAX) {
            yaml_complain(yaml_get(map, "like"), e->report, "'like' goes through more than %d species",
                          LIKE_DEPTH_MAX);
            break;
        }
        chain[count++] = at;
    }
    for (int32_t i = count - 1; i-- > 0;) {
        fill(e, chain[i], chain[i + 1]);
        yaml_remove(chain[i], "like");
    }
    yaml_remove(map, "like");
}

/* ---- defaults ---- */

static struct yaml_node *map_in(struct expanding *e, struct yaml_node *map, const char *key) {
    struct yaml_node *child = yaml_get_map(map, key, e->report);
    if (child && yaml_has(child, "like"))
        yaml_complain(yaml_get(child, "like"), e->report, "defaults cannot be like a species");
    return child;
}

static const char *kind_of(struct yaml_node *map, struct yaml_node *all) {
    struct yaml_node *kind = yaml_get(map, "kind");
    if (!kind)
        kind = yaml_get(all, "kind");
    return kind && kind->kind == YAML_SCALAR ? kind->text : "plant";
}

/* Sets of defaults that were taken stay, each under a key of its own, "@file:line:column", so that none hides
 * another when files are laid over each other. */
static bool is_taken(const struct yaml_node *key) {
    return key->text[0] == '@';
}

static void keep(struct expanding *e, struct yaml_node *kept, const struct yaml_node *key,
                 const struct yaml_node *set) {
    struct yaml_node *copy = yaml_copy(key, &e->left), *item = copy ? yaml_copy(set, &e->left) : NULL;
    size_t room = strlen(set->file) + 64;
    char *text = copy ? malloc(room) : NULL;
    if (text) {
        snprintf(text, room, "@%s:%d:%d", set->file, (int)set->line, (int)set->column);
        free(copy->text);
        copy->text = text;
    }
    if (!yaml_add(kept, copy, item))
        stop(e, set);
}

/* Leaves of `defaults` the sets that were taken, now and by included files. */
static void keep_sets(struct expanding *e, struct yaml_node *defaults) {
    size_t count = defaults->count;
    for (size_t i = 0; i < count && !e->stopped; i++) {
        const struct yaml_node *key = defaults->keys[i], *item = defaults->items[i];
        if (strcmp(key->text, "all") == 0 && item->kind == YAML_MAP)
            keep(e, defaults, key, item);
        for (size_t k = 0; strcmp(key->text, "kinds") == 0 && item->kind == YAML_MAP && k < item->count; k++)
            if (item->items[k]->kind == YAML_MAP)
                keep(e, defaults, item->keys[k], item->items[k]);
    }
    for (size_t i = defaults->count; i-- > 0;)
        if (!is_taken(defaults->keys[i]))
            yaml_remove(defaults, defaults->keys[i]->text);
}

/* A kind that has no defaults, but whose name is much like that of one that has. */
static void warn_kind(struct expanding *e, struct yaml_node *map, const struct yaml_node *kinds) {
    const struct yaml_node *kind = yaml_get(map, "kind");
    const char *near = kind && kind->kind == YAML_SCALAR ? yaml_near_key(kinds, kind->text) : NULL;
    if (near)
        yaml_warn(kind, e->report, "kind '%s' has no defaults: did you mean '%s'?", kind->text, near);
}

static void take_defaults(struct expanding *e, struct yaml_node *defaults) {
    struct yaml_node *all = map_in(e, defaults, "all"), *kinds = map_in(e, defaults, "kinds");
    for (size_t i = 0; i < e->species->count && !e->stopped; i++) {
        struct yaml_node *map = e->species->items[i];
        if (map->kind != YAML_MAP)
            continue;
        struct yaml_node *kind = yaml_get(kinds, kind_of(map, all));
        if (kinds && !kind)
            warn_kind(e, map, kinds);
        if (kind && kind->kind == YAML_MAP)
            fill(e, map, kind);
        if (all)
            fill(e, map, all);
    }
    for (size_t i = 0; kinds && i < kinds->count; i++) {
        struct yaml_node *kind = kinds->items[i];
        if (kind->kind != YAML_MAP)
            yaml_complain(kind, e->report, "defaults of kind '%s' are a map of a species' keys",
                          kinds->keys[i]->text);
        else if (yaml_has(kind, "kind") || yaml_has(kind, "like"))
            yaml_complain(kind, e->report, "defaults of a kind hold neither 'kind' nor 'like'");
        else if (!kinds->used[i] && e->whole)
            yaml_warn(kinds->keys[i], e->report, "no species is of kind '%s'", kinds->keys[i]->text);
    }
    for (size_t i = 0; i < defaults->count; i++)
        if (is_taken(defaults->keys[i]))
            yaml_get(defaults, defaults->keys[i]->text);
    yaml_unknown_keys(defaults, "'defaults'", e->report);
    keep_sets(e, defaults);
}

void recipe_expand(struct yaml_node *root, struct report *report) {
    struct yaml_node *species = yaml_get(root, "species"), *defaults = yaml_get_map(root, "defaults", report);
    struct expanding e = {
        .species = species, .report = report, .left = YAML_NODES_MAX, .whole = report->errors == 0};
    size_t items = report->count;
    if (species && species->kind == YAML_MAP) {
        for (size_t i = 0; i < species->count && !e.stopped; i++)
            if (species->items[i]->kind == YAML_MAP && yaml_has(species->items[i], "like"))
                take_likes(&e, species->items[i]);
        if (defaults)
            take_defaults(&e, defaults);
    }
    if (!defaults || !species || species->kind != YAML_MAP)
        yaml_remove(root, "defaults");
    report_drop_repeats(report, items); /* who is like another has its mistakes */
}
