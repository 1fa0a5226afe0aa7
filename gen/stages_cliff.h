/* Owns the stages of the cliffs tool. Layers:
 *
 *     cliff_site     u8, 255 where rock shall be: steep patches and what is asked for
 *     cliff_surface  blob, the unsimplified surface by sector (gen/cliff_part.h)
 *     cliffs         u8, 255 where the surface lies over the ground, looked at from above
 *     cliff_bed      u16, the topmost face's bed there
 *     ledges         u8, 255 on level rock with free sky
 *     cliff_rise     f32, how far the surface is over the ground [m]
 *     erosion        u8, streaks of debris below the rock
 *     cliffs_color   rgb, the rock's and the streaks' colour
 *     cliff_texture  u8, texture ids of rock and eroded ground
 *     cliff_glb      blob, .cliff.glb by sector: a leaf, nothing reads it */
#ifndef GEN_STAGES_CLIFF_H
#define GEN_STAGES_CLIFF_H
#include "cliff/surface.h"
#include "gen/stage.h"
#include "gen/world.h"

extern const struct stage stage_cliff_site, stage_cliff_surface, stage_cliff_drape, stage_erosion,
    stage_cliff_texture, stage_cliff_glb;

/* STATUS_INPUT when the world's tools do not have cliffs. */
enum status cliffs_need(const struct world *world, struct error *err);
struct cliff_params cliffs_params(const struct world *world);
/* Adds the colours of beds to a key. */
void cliffs_hash_ramp(const struct world *world, struct hasher *h);
/* Lattice steps along a sector's side. */
int32_t cliffs_sector_steps(const struct world *world);

#endif
