/* Owns what is at hand while a recipe is read, its memory and its files: for gen/recipe_*.c alone. */
#ifndef GEN_RECIPE_READING_H
#define GEN_RECIPE_READING_H
#include "biome/recipe.h"
#include "gen/yaml.h"

struct world;

/* A recipe being read. */
struct recipe_reading {
    struct recipe *recipe;
    const struct world *world;
    struct report *report;           /* a throw-away while a named stack is read again */
    struct report *loud;             /* the caller's */
    struct yaml_node *stacks;        /* named stacks, or NULL */
    struct yaml_node *ramps;         /* named ramps, or NULL */
    const struct yaml_node *include; /* where the recipe names other files, or NULL */
    bool *own;                       /* by species: whether its own file says something of it; NULL: all */
    size_t copies_left;              /* nodes of ramps that may still be copied into steps */
    size_t file_room;
    const char *const *names; /* of layers that a recipe may use, for "did you mean" */
    size_t name_count;
    struct recipe_missing *missing; /* layers that are not there: gen/recipe_missing.h */
    size_t missing_count, missing_room;
    size_t layer_room, step_room, variation_room;
    bool partial;    /* defaults are read: they need not be a whole species */
    bool *bad_ramps; /* by named ramp: reported where it stands; NULL: none */
    bool stopped;    /* out of memory or past a limit: reported */
};

/* The index of a node's file among the recipe's. */
int32_t recipe_file(struct recipe_reading *r, const struct yaml_node *node);
/* Grows *items to hold count + 1 of size bytes; false (and stopped) without memory. */
bool recipe_grow(struct recipe_reading *r, void **items, size_t *room, size_t count, size_t size);
/* Reports memory or a limit once, and stops. */
void recipe_stop(struct recipe_reading *r, const struct yaml_node *at, const char *why);
/* Reports a name of nothing in `stacks` or `ramps` (named; NULL: there are none); what: "stack", "ramp". */
void recipe_miss_named(struct recipe_reading *r, const struct yaml_node *at, const char *what,
                       const struct yaml_node *named, const char *name);

#endif
