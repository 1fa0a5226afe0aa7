/* Owns the list of all stages, in the order in which `--version` and reports show them. A new stage is one
 * entry here; its kernel and adapter lie elsewhere (gen/stage.h says where). */
#include "gen/stage.h"

#include "gen/stages_biome.h"
#include "gen/stages_clearance.h"
#include "gen/stages_cliff.h"
#include "gen/stages_compose.h"
#include "gen/stages_distance.h"
#include "gen/stages_flow.h"
#include "gen/stages_ground.h"
#include "gen/stages_horizon.h"
#include "gen/stages_placed.h"
#include "gen/stages_preview.h"
#include "gen/stages_source.h"
#include "gen/stages_water.h"
#include "gen/stages_wetness.h"
#include "gen/stages_wind.h"

const struct stage *const stage_table[] = {
    /* inputs */
    &stage_height_raw,
    &stage_void_summary,
    &stage_void_world,
    &stage_height_in,
    &stage_void,
    &stage_mask,
    &stage_placed,
    /* shape: fresh water */
    &stage_stream_cells,
    &stage_stream_lines,
    &stage_water_near,
    &stage_water_world,
    &stage_water,
    &stage_water_texture,
    &stage_water_mesh,
    /* survey */
    &stage_altitude,
    &stage_altitude_in,
    &stage_latlong,
    &stage_slope,
    &stage_curvature,
    &stage_relief_coarse,
    &stage_far_horizon,
    &stage_horizon,
    &stage_wind,
    &stage_fill_local,
    &stage_fill_world,
    &stage_filled,
    &stage_flow_local,
    &stage_flow_world,
    &stage_flow,
    &stage_twi,
    &stage_wetness,
    &stage_noise,
    &stage_distance,
    /* cliffs */
    &stage_cliff_site,
    &stage_cliff_surface,
    &stage_cliff_drape,
    &stage_erosion,
    &stage_cliff_texture,
    &stage_cliff_glb,
    /* biomes */
    &stage_biome_id,
    &stage_zone,
    &stage_patch,
    &stage_age,
    &stage_candidates,
    &stage_compete,
    &stage_stand,
    &stage_mask_written,
    &stage_imprint_height,
    &stage_imprint_texture,
    &stage_imprint_tint,
    &stage_entities,
    &stage_clearance,
    /* composition */
    &stage_height,
    &stage_height_delta,
    &stage_texture,
    &stage_tint,
    &stage_ground_color,
    &stage_preview,
    NULL,
};
