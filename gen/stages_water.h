/* Owns the stages of the freshwater tool: adapters between layers and the kernels of water/. Layers:
 *
 *     stream_cells   blob, cells that carry enough for a stream (water/stream.h), where auto_streams are
 * asked for stream_lines   blob, the streams of the whole world that nobody drew, by section water_near blob,
 * a section's heights near its lines (water/heights.h) water_pieces   blob, the water in reach of a section
 * (water/field.h): one solve for the whole world ground_water   the ground with beds and banks; "ground"
 * while no later tool shapes it water, watershore, water_depth, dampness, flow_dir, water_kind, water_speed,
 * water_bend water_texture  texture ids of beds, bars and banks, 0 elsewhere water_glb      blob, the
 * surface's meshes by sector */
#ifndef GEN_STAGES_WATER_H
#define GEN_STAGES_WATER_H
#include "gen/stage.h"
#include "water/field.h"

extern const struct stage stage_stream_cells, stage_stream_lines, stage_water_near, stage_water_world,
    stage_water, stage_water_texture, stage_water_mesh;

/* STATUS_INPUT where the world has no fresh water: a layer of it was asked for. */
enum status water_needs_tool(const struct world *world, struct error *err);
/* The section's water, from a window of water_pieces. */
enum status water_set_here(const struct stage_run *run, const struct window *pieces, struct water_set *set,
                           struct error *err);

#endif
