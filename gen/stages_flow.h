/* Owns the stages of flow: adapters from layers to terrain/flow_*.h and terrain/twi.h, and back. The records
 * between them are blobs of one part. */
#ifndef GEN_STAGES_FLOW_H
#define GEN_STAGES_FLOW_H
#include "gen/stage.h"

extern const struct stage stage_fill_local; /* altitude_in -> fill_local, fill_basins */
extern const struct stage stage_fill_world; /* fill_local of the world -> fill_world */
extern const struct stage stage_filled;     /* altitude_in, fill_basins, fill_world -> filled */
extern const struct stage stage_flow_local; /* filled within 2 cells -> flow_receivers, flow_local */
extern const struct stage stage_flow_world; /* flow_local of the world -> flow_world */
extern const struct stage stage_flow;       /* flow_receivers, flow_world -> flow */
extern const struct stage stage_twi;        /* flow, slope -> twi */

#endif
