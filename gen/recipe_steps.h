/* Owns the reading of viability stacks, for gen/recipe_read.c alone. */
#ifndef GEN_RECIPE_STEPS_H
#define GEN_RECIPE_STEPS_H
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

/* Appends the steps of a list of steps; depth 0 for a species' own. */
void recipe_read_steps(struct recipe_reading *r, struct yaml_node *list, int32_t depth);
/* A new last step, to be filled in; its index, or -1 (and stopped) without memory. */
int32_t recipe_new_step(struct recipe_reading *r);
/* What a layer can be, in the step; false when the name is wrong (reported). */
bool recipe_find_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name,
                       struct recipe_step *step, const char **unit);
/* The index of a layer in the recipe's, added if need be; -1 (and stopped) without memory. */
int32_t recipe_add_layer(struct recipe_reading *r, const struct yaml_node *at, const char *name);
/* Reports a bound outside of what the step's layer can be. */
void recipe_check_bound(struct recipe_reading *r, struct yaml_node *at, const char *key, double bound,
                        const struct recipe_step *step, const char *layer, const char *unit);
/* Notes a step whose range is hardly any of what its layer can be: another unit than the layer's is likely.
 */
void recipe_check_width(struct recipe_reading *r, const struct yaml_node *at, const char *key,
                        const struct recipe_step *step, const char *layer, const char *unit);
/* A range of directions, low to high clockwise, with shoulders. */
void recipe_set_circular(struct recipe_step *step, double low, double high, const double soft[2]);
/* The index of a node's file among the recipe's. */
int32_t recipe_file(struct recipe_reading *r, const struct yaml_node *node);
/* The named ramp of that kind, YAML_MAP for steps or YAML_LIST, points; NULL: reported. */
struct yaml_node *recipe_find_ramp(struct recipe_reading *r, const struct yaml_node *at, const char *name,
                                   enum yaml_kind kind);
/* Reads every named ramp once, for mistakes that it would have anywhere. */
void recipe_check_ramps(struct recipe_reading *r);
/* Reads every named stack once, for its mistakes alone. */
void recipe_check_stacks(struct recipe_reading *r);
/* Grows *items to hold count + 1 of size bytes; false (and stopped) without memory. */
bool recipe_grow(struct recipe_reading *r, void **items, size_t *room, size_t count, size_t size);
/* Reports memory or a limit once, and stops. */
void recipe_stop(struct recipe_reading *r, const struct yaml_node *at, const char *why);

#endif
