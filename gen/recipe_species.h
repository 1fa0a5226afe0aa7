/* What recipe_read.c and recipe_species.c share; for them alone. */
#ifndef GEN_RECIPE_SPECIES_H
#define GEN_RECIPE_SPECIES_H
#include "gen/recipe_reading.h"

/* A malloc'ed copy; NULL (and stopped) without memory. */
char *recipe_copy_text(struct recipe_reading *r, const struct yaml_node *at, const char *text);
/* A number of a map, if it is there and right. */
void recipe_read_f32(struct recipe_reading *r, struct yaml_node *map, const char *key, double min, double max,
                     const char *unit, float *out);
/* "#rrggbb"; false: reported. */
bool recipe_as_color(struct recipe_reading *r, const struct yaml_node *node, const char *name,
                     uint8_t out[3]);
/* `color: "#rrggbb"`. */
void recipe_read_color(struct recipe_reading *r, struct yaml_node *map, uint8_t out[3]);
/* A biome's index; -1 and reported when there is none of that name. */
int32_t recipe_find_biome(struct recipe_reading *r, const struct yaml_node *at, const char *name);

/* A species but for its stack (masks that others write must be known) and what it heeds (tiers must be). */
void recipe_read_species(struct recipe_reading *r, struct yaml_node *key, struct yaml_node *map,
                         double jitter, struct recipe_species *s);
/* A stack of steps by its key, from step *first to *end; none: both the same. */
void recipe_read_key(struct recipe_reading *r, struct yaml_node *map, const char *key, int32_t *first,
                     int32_t *end);
void recipe_read_stack(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);
void recipe_read_heeds(struct recipe_reading *r, struct yaml_node *map, struct recipe_species *s);

#endif
