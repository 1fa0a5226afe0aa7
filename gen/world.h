/* Owns the world: everything that one world.yaml describes, read once, validated whole, immutable from then
 * on. Holds settings and descriptions of the input files; pixels are read by gen/source.h, on demand. */
#ifndef GEN_WORLD_H
#define GEN_WORLD_H
#include "cliff/color.h"
#include "cliff/displace.h"
#include "gen/extent.h"
#include "gen/layer.h"
#include "gen/report.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum raster_format { RASTER_PNG, RASTER_R16, RASTER_R32, RASTER_STB /* TGA, BMP, JPEG through stb_image */ };
enum height_samples { SAMPLES_CELLS, SAMPLES_POSTS };
enum missing_policy { MISSING_ERROR, MISSING_VOID };
enum upsample { UPSAMPLE_REFUSE, UPSAMPLE_BICUBIC };

/* One input image. `map` files cover a map's part of the world, the others the whole world. */
struct source_file {
    char *name;           /* as the world says it, map numbers filled in; NULL when a list has none for it */
    char *path;           /* resolved against the world's folder or a root; NULL with name */
    bool whole;           /* covers the whole world */
    int32_t map_x, map_y; /* when not whole */
    bool present;         /* false: missing, and `missing: void` allows it */
    int32_t width_px, height_px;
    struct hash128 id; /* content hash of the file's bytes */
};

/* A raster input: one file, or one a map ("{x}", "{y}" in the pattern). */
struct source {
    char *name;            /* "height", or the mask's name */
    char *pattern;         /* as written */
    const char *yaml_file; /* where it is named, for messages */
    int32_t line, column;
    enum raster_format format;
    struct source_file *files; /* one whole, or one for each map of the world, sorted by map_y, map_x */
    size_t file_count;
    /* samples per cell is 2^fine_log2 along each axis, -6 to 6; negative: coarser than the cell, and then the
     * world's origin and size (or for masks each file's) are multiples of a sample */
    int32_t fine_log2;
};

/* Input heights are within this, m. */
#define HEIGHT_MAX_M 32768.0

struct world_height {
    struct source source;
    enum height_samples samples;
    double spacing_m;
    double z_min_m, z_max_m; /* of code 0 and of the largest code; r32 holds metres: unused */
    bool eight_bit;          /* 256 codes */
    bool big_endian;         /* r16, r32 */
    bool has_nodata, nodata_is_nan;
    double nodata; /* a code (PNG, r16) or a value in metres (r32) */
    enum upsample upsample;
    enum missing_policy missing;
};

struct legend_entry {
    char *name;
    uint8_t r, g, b;
    int32_t code;         /* 0..255, what the layer holds: its own `id`, or its place in the legend from 1 */
    bool unpainted;       /* stands for nothing: its code is the mask's `unpainted` */
    int32_t line, column; /* of its name, in the legend's file */
};
struct world_mask {
    struct source source;
    struct legend_entry *legend; /* NULL: grey, 0..255 stands for 0..1 */
    size_t legend_count;
    bool has_legend;             /* it names one, be it wrong */
    bool legend_wrong;           /* that could not be read, or not all of it */
    char *legend_file;           /* where the legend stands, for messages; NULL: not read */
    int32_t unpainted;           /* code for a missing map, fully transparent pixels; default 0 */
    enum missing_policy missing; /* MISSING_VOID: a map without a file is unpainted */
};

/* gen/geojson.h */
struct features;

/* A recipe read from `biomes:`; biome/recipe.h. NULL without. */
struct recipe;

struct noise_def { /* `noise: {clump: {...}}`: the layer noise.clump */
    char *name;
    double scale_m;    /* wavelength of the first octave, default 32 [half a cell..2^20 cells] */
    int32_t octaves;   /* 1..12, default 4 */
    double gain;       /* amplitude of an octave to the one before, 0..1, default 0.5 */
    double lacunarity; /* frequency of an octave to the one before, default 2 */
    double offset_m[2];
    uint64_t seed;           /* added to the world's */
    double normal_influence; /* how far the ground's normal warps the place, m; default 0 */
};

enum world_tool {
    TOOL_CLIFFS,
    TOOL_FRESHWATER,
    TOOL_ROADS,
    TOOL_FENCES,
    TOOL_POWERLINES,
    TOOL_BIOMES,
    TOOL_FOG,
    TOOL_WORLDMAP,
    TOOL_COUNT
};
extern const char *const world_tool_names[TOOL_COUNT];
extern const bool world_tool_built[TOOL_COUNT]; /* which tools this version has */

/* Radii are at most 1024 cells as well, far_radius_m 32768. */
struct survey_settings {
    double curvature_scale_m;   /* 8 [1..64] */
    double horizon_radius_m;    /* 96 [8..512] */
    int32_t horizon_directions; /* 16 [16, 32] */
    double far_radius_m;        /* 2048 [0..8192]: relief beyond the horizon radius that casts shadows */
    double distance_max_m;      /* 64 [1..512] */
    double wind_from_deg;       /* 270: where the prevailing wind comes from, clockwise from north */
    double wind_scale_m;        /* curvature length scale of the wind model; see terrain/wind.h */
    double wind_slope_weight, wind_curvature_weight; /* MicroMet's gamma_s, gamma_c: 0.58, 0.42 */
    double wind_shelter_m;                           /* reach of the lee shelter, 100 */
};

/* `freshwater:`; a line's own attributes count before these. */
struct freshwater_settings {
    double width_m[3];   /* of rivers, streams, ditches without width_m: 8, 2, 1 [0.2..512] */
    double snap_m;       /* 4 [0..32]: ends nearer than this are joined */
    double mesh_m;       /* 2 [0.5..16]: spacing of the surface's lattice */
    double fall_drop_m;  /* 2.5 [1..64]: least drop within 4.5 m that makes a fall */
    double max_cut_m;    /* 25 [1..1000]: water farther under its banks runs under the ground */
    bool carve;          /* carve: bed | none */
    bool fit;            /* fit: thalweg | none */
    bool automatic;      /* direction: auto | line */
    int64_t textures[3]; /* ids of bed, gravel, bank: 4, 5, 6; 0: none */
    double stream_ha;    /* auto_streams.min_area_ha [0.01..10^6]; 0: nobody asked for them */
    int32_t stream_line, stream_column; /* where they are asked for */
};

/* `cliffs:` */
enum { CLIFF_PRESETS = 4 };
struct cliff_settings {
    double min_slope_deg;  /* 48 [20..85] */
    double min_patch_m2;   /* 40 [0..256 cells]: smaller steep patches stay ground */
    double softness_m;     /* 0 [0..16]: how far beyond steep ground single blocks stand */
    bool fine;             /* lattice: fine | default: 0.5 or 1 x 1 x 0.5 m */
    double error_m;        /* 0.12 [0..4]: how far the simplified surface may be off */
    int64_t max_triangles; /* 20000 [100..10^7]: a sector's budget; more is warned about */
    int64_t max_kib;    /* 1024, 1280 with attributes [1..10^6]: of a sector's file; more is warned about */
    double collision_m; /* 0.6 [0.05..4]: the same as error_m for the collision mesh */
    bool attributes;    /* _BED and COLOR_0 in the meshes */
    char exclude[64], include[64]; /* masks, "" for none */
    bool has_strata;               /* a mask `strata` whose codes are presets + 1 */
    struct cliff_preset {
        char name[64];
        double dip_deg, direction_deg; /* 0..75; 0..360, clockwise from north */
    } presets[CLIFF_PRESETS];
    size_t preset_count;
    int64_t textures[3]; /* ids of rock, other rock, eroded ground: 7, 8, 9; 0: none */
    struct cliff_ramp ramp;
    struct cliff_picture {
        char *written, *path; /* as the world says it; resolved */
        int32_t line, column;
        double tile_m, depth_m; /* 16 [1..1000]; 0.4 [0..1] */
        struct hash128 id;
        int32_t width_px, height_px;
        uint8_t *pixels; /* grey, first row on top */
    } images[CLIFF_IMAGES_MAX];
    size_t image_count;
};

struct output_settings {
    double height_min_m, height_max_m; /* of height.png; default the input's range with 2 % headroom */
    char **layers;                     /* `layers: [slope, flow]`: more rasters for each section */
    size_t layer_count;
    double agent_m[4]; /* `clearance_m: [0.5, 1.5]`: radii of agents that walk between trunks; rising */
    size_t agent_count;
};

struct store_settings {
    char *dir;        /* default .terrane beside world.yaml */
    double limit_mib; /* 8192 */
};

struct world {
    char *path, *dir, *name;
    uint64_t seed;
    double latitude_deg;
    struct extent extent;
    struct world_height height;
    struct world_mask *masks;
    size_t mask_count;
    struct features *splines, *placed; /* parsed and validated; empty sets when none are named */
    enum world_tool tools[TOOL_COUNT]; /* in order */
    size_t tool_count;
    struct noise_def *noises;
    size_t noise_count;
    struct survey_settings survey;
    struct freshwater_settings freshwater;
    struct cliff_settings cliffs;
    struct output_settings output;
    struct store_settings store;
    struct recipe *recipe;
    struct hash128 height_id; /* all files, formats and settings of the heights: world-wide stages' keys */
};

/* key=value pairs of --set and the roots of the environment (TERRANE_ROOT_ART=/mnt/art for `art:`). */
struct world_options {
    const char *const *sets; /* "KEY=VALUE" */
    size_t set_count;
};

/* Reads and checks everything: the YAML, the sizes and headers of all images (and content hashes of files),
 * lines and placed things, the recipe. Every mistake goes to the report; NULL when there is any error.
 * Warnings go there too. */
struct world *world_load(const char *path, const struct world_options *options, struct report *report);
void world_free(struct world *world);

/* Whether the tool is among the world's. */
bool world_has_tool(const struct world *world, enum world_tool tool);

const struct world_mask *world_find_mask(const struct world *world, const char *name);
const struct noise_def *world_find_noise(const struct world *world, const char *name);

#endif
