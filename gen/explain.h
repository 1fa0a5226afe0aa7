/* Owns the whole story of a place: what the recipe reads there, what every tier's candidates around became
 * and in which round, who cleared or struck whom. All from the layers that a bake makes: the answer is the
 * bake's. Knows nothing of texts. */
#ifndef GEN_EXPLAIN_H
#define GEN_EXPLAIN_H
#include "biome/candidate_story.h"
#include "biome/overrule.h"
#include "gen/entity.h"
#include "gen/look.h"
#include "gen/world.h"

/* A candidate and what became of it. */
struct explain_one {
    struct biome_candidate c;
    uint8_t state; /* enum rival_state, at the end */
    int8_t round; /* in which it was decided: 0 by what stands of higher tiers, 1..24 of its own; -1: never */
};

/* Candidates around, by distance from the place (then id). */
struct explain_tier {
    struct explain_one *items;
    size_t count;
};

struct explain {
    const struct world *world;
    const struct recipe *recipe; /* the world's */
    double x_m, y_m;
    int32_t x, y;      /* the place's cell */
    struct rect cells; /* EXPLAIN_AROUND_M around the place, and the lattice cell of every tier */
    /* row by row over cells */
    uint8_t *homes;  /* ids of what lives there, 0 where something was placed or bare rock lies */
    uint8_t *placed; /* EXPLAIN_TAKEN_BY_HAND or _ROCK where one of them is */
    float *values;   /* of each recipe layer, one after the other */
    struct biome_layer *layers;
    struct explain_tier *tiers; /* by tier */
    /* what the points file holds of the entity that was asked for */
    bool found;
    struct entity entity;
};

enum { EXPLAIN_TAKEN_BY_HAND = 1, EXPLAIN_TAKEN_BY_ROCK = 2 };

struct explain_request {
    double x_m, y_m; /* inside the world */
    uint64_t id;     /* 0: none */
};

/* Makes the layers around and gathers. The result is freed by explain_free. STATUS_INPUT: no recipe. */
enum status explain_make(const struct world *world, const struct look_options *look,
                         const struct explain_request *request, struct explain **out, struct error *err);
void explain_free(struct explain *e);

/* Where a candidate with this id would be: every cell of every tier's lattice is asked. False: in no cell of
 * the world has a species of the recipe that id. */
struct explain_origin {
    int32_t species;          /* of the recipe */
    struct biome_story story; /* its place */
};
bool explain_find_id(const struct world *world, uint64_t id, struct explain_origin *out);

/* The value of a recipe layer at a cell inside e->cells. */
float explain_value(const struct explain *e, int32_t layer, int32_t x, int32_t y);
/* The story of the lattice cell of a tier that a position inside e->cells lies in. asked: a species, or -1.
 */
enum status explain_story(const struct explain *e, int32_t tier, int32_t x_q, int32_t y_q, int32_t asked,
                          struct biome_story *story, struct error *err);
/* A species' viability at a cell inside e->cells, step by step (biome_viability_trace); -1: no memory. */
float explain_viability(const struct explain *e, const struct recipe_species *s, int32_t x, int32_t y,
                        struct biome_trace *trace);
/* What became of a candidate; NULL: it is none. */
const struct explain_one *explain_find(const struct explain *e, int32_t tier, uint64_t id);

/* One beaten by another. */
struct explain_rival {
    const struct explain_one *one;
    double distance_m, radius_m; /* nearer than the radius */
};
/* Who cleared (a higher tier's) or struck out a candidate; false: nobody. Of several that did in the same
 * round the one that stands first: of the highest tier, then the highest rank. */
bool explain_beaten_by(const struct explain *e, const struct explain_one *one, struct explain_rival *by);
/* Candidates of its tier within the radius of one that stands, nearest first: those that it struck out, and
 * with `stronger` those that outrank it but were out before. Returns how many there are; fills at most
 * `room`. */
size_t explain_rivals(const struct explain *e, const struct explain_one *one, bool stronger,
                      struct explain_rival *out, size_t room);

enum explain_reason {
    EXPLAIN_STANDS,    /* it does */
    EXPLAIN_OUTSIDE,   /* the lattice cell's candidate lies beyond the world's edge */
    EXPLAIN_PLACED,    /* somebody set something there by hand */
    EXPLAIN_ROCK,      /* the rock of a cliff lies there, and it is no ledge */
    EXPLAIN_HOME,      /* it does not live in the biome or zone */
    EXPLAIN_VIABILITY, /* 0: `step` brings it there */
    EXPLAIN_DRAW,      /* another species of its tier won the draw */
    EXPLAIN_DENSITY,   /* its density keeps fewer */
    EXPLAIN_CLEARED,   /* too near to what stands of a higher tier */
    EXPLAIN_STRUCK,    /* a stronger one of its tier stands within the radius */
    EXPLAIN_UNDECIDED, /* no round of competition settled it */
    EXPLAIN_REASONS
};
extern const char *const explain_reason_names[EXPLAIN_REASONS]; /* "stands", "outside" ... */

/* The first reason why a species does not stand in its lattice cell at the place. The place's own cell is
 * asked first (placed, home, viability), then the cell of the candidate's place. */
struct explain_why {
    enum explain_reason reason;
    bool at_place;                 /* the place's own cell says it, not the candidate's */
    struct biome_story story;      /* of the lattice cell; the draw is told from EXPLAIN_DRAW on */
    int32_t biome;                 /* EXPLAIN_HOME: what is there; -1: nothing */
    int32_t step;                  /* EXPLAIN_VIABILITY: of the recipe's */
    const struct explain_one *one; /* from EXPLAIN_CLEARED on, and EXPLAIN_STANDS */
    struct explain_rival by;       /* EXPLAIN_CLEARED, EXPLAIN_STRUCK */
};
enum status explain_why_not(const struct explain *e, int32_t species, struct explain_why *why,
                            struct error *err);

/* The same of every lattice cell whose candidate lies within EXPLAIN_AROUND_M of the place, counted. */
enum { EXPLAIN_AROUND_M = 10 };
enum status explain_around(const struct explain *e, int32_t species, size_t counts[EXPLAIN_REASONS],
                           struct error *err);

/* One rule of the place's main biome. */
struct explain_rule {
    const struct recipe_rule *rule;
    bool holds;
    bool best; /* none that holds outranks it; several: they share the ground by patches */
    bool wins; /* the place is of its zone */
};
/* Of at most `room` rules; how many there are. *painted: the place's zone is not what rules give. */
size_t explain_rules(const struct explain *e, int32_t main_biome, int32_t home, struct explain_rule *out,
                     size_t room, bool *painted);

#endif
