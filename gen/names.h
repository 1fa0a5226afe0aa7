/* Owns how a layer's name, as a recipe, an option or a stage writes it, becomes the name of the layer that a
 * stage makes: "ground" is whatever the last shape tool left, "height_in" skips the filling of voids where
 * there can be none, a painted mask's bare name is "mask.NAME". */
#ifndef GEN_NAMES_H
#define GEN_NAMES_H
#include "gen/stage.h"
#include "gen/world.h"

/* False: nobody makes such a layer. */
bool gen_layer_resolve(const struct world *world, const char *name, char out[STAGE_ARG_MAX]);
/* What a stage makes in this world: its entry's output, but for masks with a legend, which hold ids. */
const struct layer_info *gen_stage_layer(const struct world *world, const struct stage *stage,
                                         const char *arg, int32_t output);
/* What is known of a layer by any of its names; NULL: nobody makes it. */
const struct layer_info *gen_layer_info(const struct world *world, const char *name);
/* Every name that a recipe or --layer may use, for lists and "did you mean": world's noises and masks (and
 * distances to masks) included. Returns the count, 0 without memory. */
size_t gen_layer_names(const struct world *world, const char *const **names);
void gen_layer_names_free(const char *const *names);

#endif
