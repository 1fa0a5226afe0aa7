/* Owns how `terrane explain` puts stories of places and plants (gen/explain.h) into words, and into JSON. */
#ifndef CMD_EXPLAIN_PRINT_H
#define CMD_EXPLAIN_PRINT_H
#include "gen/explain.h"

#include <jansson.h>

/* ---- for people, on stdout ---- */
void explain_print_rules(const struct explain *e);
void explain_print_near(const struct explain *e);
void explain_print_tiers(const struct explain *e);
/* A species' viability at a cell, step by step, each line after `indent` blanks. */
void explain_print_steps(const struct explain *e, const struct recipe_species *s, int32_t x, int32_t y,
                         int indent);
void explain_print_why(const struct explain *e, int32_t species, const struct explain_why *why);
/* The same, the reasons around, and the nearest that stands. */
void explain_print_why_not(const struct explain *e, int32_t species, const struct explain_why *why);
void explain_print_entity(const struct explain *e, const struct explain_origin *origin,
                          const struct explain_why *why);

/* ---- for programs; NULL: out of memory ---- */
json_t *explain_json_rules(const struct explain *e);
json_t *explain_json_near(const struct explain *e);
json_t *explain_json_tiers(const struct explain *e);
json_t *explain_json_steps(const struct explain *e, const struct recipe_species *s, int32_t x, int32_t y);
json_t *explain_json_why(const struct explain *e, int32_t species, const struct explain_why *why);
/* Reason -> of how many lattice cells around it is the first. */
json_t *explain_json_around(const struct explain *e, int32_t species);
json_t *explain_json_entity(const struct explain *e, const struct explain_origin *origin,
                            const struct explain_why *why);

/* ---- both ---- */
enum { EXPLAIN_SHOWN = 8, EXPLAIN_CHAIN = 6 };
/* The home of a place: the main biome's index and the zone's (or the same); -1: nothing lives there. */
int32_t explain_home(const struct explain *e, int32_t *main_biome);
/* The main biome's index of a biome or zone. */
int32_t explain_main(const struct recipe *recipe, int32_t biome);
/* How many of a tier stand within EXPLAIN_AROUND_M. */
size_t explain_near_count(const struct explain *e, int32_t tier);
/* The asset that a candidate would show. */
const char *explain_asset(const struct explain *e, const struct biome_candidate *c);
/* What a step reads: a layer's name, "value" or "group". */
const char *explain_step_name(const struct recipe *recipe, const struct recipe_step *step);

#endif
