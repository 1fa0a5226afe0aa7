/* Owns what a recipe is in memory: biomes, species, their viability stacks, and the tiers that compete. Knows
 * nothing of YAML (gen/recipe_read.h) or of how layers are made. Immutable once recipe_finish has run. */
#ifndef BIOME_RECIPE_H
#define BIOME_RECIPE_H
#include "biome/ramp.h"
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    RECIPE_BIOMES_MAX = 255,    /* with zones: ids are 1..255; 0 is "no biome" */
    RECIPE_RULES_MAX = 1024,    /* of all zones */
    RECIPE_BORDER_MAX_M = 32,   /* how far a painted border may be moved */
    RECIPE_SPECIES_MAX = 4096,  /* of all biomes */
    RECIPE_TIERS_MAX = 30,      /* distinct priorities */
    RECIPE_LAYERS_MAX = 48,     /* distinct layers that a tier reads */
    RECIPE_CLASSES_MAX = 12,    /* size classes of a species */
    RECIPE_VARIATIONS_MAX = 16, /* of a size class */
    RECIPE_MASKS_MAX = 32,      /* distinct masks that species write */
    RECIPE_WRITES_MAX = 12,     /* that one species does to its surroundings */
    RECIPE_THRESHOLDS_MAX = 8,  /* texture ids of one write */
    RECIPE_DEPTH_MAX = 8,       /* of groups in groups */
    RECIPE_OFFSET_MAX_M = 20,   /* of an entity from its place, upwards and downwards; less sideways */
    RECIPE_ROUNDS = 24,         /* of competition */
    RACE_STEPS = 4096           /* entries of a tier's table for the draw */
};

/* ---- viability ---- */

enum recipe_combine {
    COMBINE_MULTIPLY,
    COMBINE_ADD,
    COMBINE_SUBTRACT,
    COMBINE_MIN,
    COMBINE_MAX,
    COMBINE_MIX,
    COMBINE_REPLACE,
    COMBINE_COUNT
};
extern const char *const recipe_combine_names[COMBINE_COUNT];

enum recipe_step_kind { STEP_LAYER, STEP_VALUE, STEP_GROUP };

/* One step of a stack. Steps lie in order of writing, a group before its children; `end` is the index behind
 * the step's last descendant. The value of a step:
 *     v = the layer's value, `value`, or the group's result
 *     r = ramp(v) when ranged, else v;   r = 1 - r when inverted
 *     s = weight * (floor + (1 - floor) * r)
 * and combined with what lies below: multiply b*s, add b+s, subtract b-s, min, max, mix b + amount*(s-b),
 * replace s. The first step of a stack or group replaces. A whole stack's result below 0 counts as 0. */
struct recipe_step {
    enum recipe_step_kind kind;
    enum recipe_combine combine;
    int32_t layer; /* STEP_LAYER: index into the recipe's layers */
    int32_t end;
    float value; /* STEP_VALUE */
    bool ranged, invert;
    bool circular; /* degrees of a full turn: ramp[] is around ramp_middle; a negative value (flat) is outside
                    */
    /* 0 up to ramp[0], rising to 1 at ramp[1], 1 to ramp[2], falling to 0 at ramp[3], 0 beyond. Equal
     * neighbours are a hard edge (inclusive); -HUGE_VALF and HUGE_VALF are open ends. */
    float ramp[4];
    float ramp_middle;          /* circular: degrees */
    float floor;                /* 0..1, default 0: what lies outside the range still gets */
    float weight;               /* default 1 */
    float amount;               /* of COMBINE_MIX, 0..1 */
    int32_t file, line, column; /* index into the recipe's files; for explanations */
    float layer_min, layer_max; /* what the layer can be; min > max: not known */
};

/* ---- biomes and species ---- */

/* A main biome, or a zone of one: a sub-biome. Zones stand behind all main biomes and share their names and
 * ids, so that whatever goes by id (textures, colours, where species live) needs to know no difference. */
struct recipe_biome {
    char *name;
    int32_t file, line, column; /* of the name, as a species' */
    int32_t parent;             /* zones: index of the main biome; -1: a main biome */
    uint8_t id;                 /* 1..255: what biome_id and zone_id hold */
    uint8_t texture_id;         /* ground texture where nothing else sets one */
    uint8_t color[3];           /* the ground's, as pictures show it */
    bool texture_only;          /* nothing lives here, and its painted borders stay as they are painted */
    bool alone;                 /* zones: species of the main biome live here only when they name the zone */
    float density_factor, size_factor; /* sliders, 1 by default: of what stands here */
    float patch_m;                /* main biomes: scale of the noise by which equal rules share the ground */
    int32_t rule_first, rule_end; /* main biomes: their zones' rules */
};

/* A rule gives the ground of a main biome to a zone where all its criteria hold: the stack is the product of
 * hard ranges, over 0 where all hold; an empty one holds everywhere. Of rules that hold the larger weight
 * wins, then the more criteria; what is equal still is shared by patches. */
struct recipe_rule {
    int32_t zone; /* index into biomes */
    int32_t criteria;
    float weight;
    int32_t step_first, step_end;
    int32_t file, line, column;
};

/* Another asset that some entities of a size class show: weight to the class's own asset's 1. */
struct recipe_variation {
    char *asset;
    uint32_t object_id;
    float weight;
    float ground_tint;
    bool colored; /* color in place of the species' tint */
    uint8_t color[3];
};

struct recipe_size {
    char *asset;
    uint32_t object_id; /* the engine's own where the recipe gives it, else recipe_object_id; not 0 */
    float from;         /* viability from which this class stands; rising; the first is 0 */
    float height_m;     /* of the asset at scale 1 */
    float scale[2];     /* at `from`, and where the next class begins (last class: at size_full) */
    float ground_tint;  /* 0..1: how much of the ground's tint the asset takes on in the engine */
    int32_t variation_first, variation_count; /* in the recipe's variations */
};

/* How deep in the species' own patch a place lies: 0 outside and at its edge, 1 at max_m from it. */
enum recipe_age_combine { AGE_NONE, AGE_ADD, AGE_MULTIPLY, AGE_MIX };
struct recipe_age {
    float max_m;            /* 0: the species has no age */
    float over;             /* the patch is where viability is above */
    struct biome_ramp ramp; /* from the share of max_m to age, both 0..1 */
    /* What chooses the size: v itself, v + amount * age, v * (1 - amount + amount * age), or
     * v + amount * (age - v). */
    enum recipe_age_combine combine;
    float amount;
    int32_t layer; /* of age_<name>, in the recipe's layers */
};

/* Colours over a number: linear between x, the end ones beyond. */
enum recipe_tint_over { TINT_VIABILITY, TINT_AGE, TINT_HEIGHT, TINT_STACK };
struct recipe_tint {
    int32_t count; /* of colours; 0: the species' color */
    float x[RAMP_POINTS_MAX];
    uint8_t rgb[RAMP_POINTS_MAX][3];
    enum recipe_tint_over over;   /* height in m */
    int32_t step_first, step_end; /* TINT_STACK */
    float jitter;                 /* chance moves x by +- this */
};

/* What a heading is measured from: north, the way the ground falls, the way the wind blows; or any. */
enum recipe_forward { FORWARD_NORTH, FORWARD_DOWNSLOPE, FORWARD_WIND, FORWARD_RANDOM };

/* What a density's ramp is over. */
enum recipe_density_over { DENSITY_VIABILITY, DENSITY_AGE, DENSITY_HEIGHT };

enum recipe_heed_kind { HEED_CROWN, HEED_TRUNK, HEED_NONE, HEED_FACTOR };
struct recipe_heed {
    enum recipe_heed_kind kind;
    float factor; /* HEED_FACTOR: times the stronger's priority radius */
};

enum recipe_crown { CROWN_CONE, CROWN_BLOB, CROWN_FLAT, CROWN_ROCK, CROWN_NONE, CROWN_COUNT };
extern const char *const recipe_crown_names[CROWN_COUNT];

/* What a species writes around each of its entities: v is 1 within the radius, falls to 0 over falloff_m, and
 * is times a stack of layers. Where several of them reach a cell the largest v counts. */
enum recipe_write_kind { WRITE_MASK, WRITE_HEIGHT, WRITE_TEXTURE, WRITE_TINT };
struct recipe_write {
    enum recipe_write_kind kind;
    float radius_m; /* at full height */
    float falloff_m;
    int32_t step_first, step_end; /* cut to 0..1; none: 1 */
    int32_t mask;                 /* index into the recipe's masks */
    float raise_m;                /* at full height; below 0 lowers */
    int32_t texture_count;
    float texture_from[RECIPE_THRESHOLDS_MAX]; /* v from which the id stands; rising */
    uint8_t texture_id[RECIPE_THRESHOLDS_MAX];
    uint8_t color[3]; /* of the ground's tint: 128 is neutral */
    int32_t item;     /* which of `writes` it was, for its stack */
};

struct recipe_species {
    char *name, *kind; /* kind: "tree", "shrub", "rock" ... free text */
    int32_t file, line;
    uint64_t salt;                /* hash of the name */
    uint64_t biomes[4];           /* bit b: lives in the recipe's biome with index b */
    int32_t priority;             /* larger first */
    int32_t tier;                 /* index into tiers, by recipe_finish */
    int32_t step_first, step_end; /* its stack in the recipe's steps */
    float density_per_ha;         /* asked where the species is alone and its ramp and stack give 1 */
    float density_factor,
        size_factor; /* sliders: of the whole, its kind and itself; a place's is times its biome's */
    enum recipe_density_over density_over;
    struct biome_ramp density_ramp;               /* factor of density_per_ha, over that */
    int32_t density_step_first, density_step_end; /* a stack that it is times as well, cut to 0..1 */
    struct recipe_age age;
    float viability_radius_m; /* against its own tier, at full height */
    float priority_radius_m;  /* against lower tiers, at full height */
    float trunk_radius_m;     /* what nobody walks through, at full height; 0: none; below 0: the usual */
    float radius_spread;      /* each entity's viability radius varies by +- this share */
    float jitter;             /* how far chance may overrule viability, share of viability_max */
    struct recipe_heed heeds[RECIPE_TIERS_MAX]; /* of each higher tier, by tier index */
    struct recipe_heed heed;                    /* of tiers without their own rule */
    struct recipe_size sizes[RECIPE_CLASSES_MAX];
    int32_t size_count;
    float size_full;       /* viability at which the last class is at its largest */
    float size_jitter;     /* chance moves the viability that chooses the size by +- this share */
    float scale_random[2]; /* a last random factor on the scale */
    enum recipe_forward forward;
    float yaw_deg, yaw_jitter_deg;   /* clockwise from forward; +- */
    float lean_deg, lean_jitter_deg; /* tip towards its heading; +- */
    float roll_deg, roll_jitter_deg; /* tip to the right of it; +- */
    float align;                     /* share of the ground's gradient that it follows */
    float offset_m[3];               /* from its place, at full height: right, forward, up (biome/orient.h) */
    float offset_jitter_m[3];        /* +- */
    bool floats;                     /* on the water's surface, where there is water; else on the ground */
    float buried;                    /* share of its height that is under the ground, 0..0.9 */
    uint8_t color[3];
    struct recipe_tint tint;
    float ground_tint;  /* of its size classes, where they do not say */
    float color_jitter; /* +- share of brightness from entity to entity */
    enum recipe_crown crown;
    float crown_radius_m; /* as pictures and masks see it, at full height */
    struct recipe_write writes[RECIPE_WRITES_MAX];
    int32_t write_count;
    /* found by recipe_finish */
    float viability_max;                /* no place gives more */
    float height_full_m;                /* largest class at its largest scale, factors apart */
    float height_max_m;                 /* the same, with the random factor and sliders */
    float radius_max_m, priority_max_m; /* no entity has more */
};

/* Species of one priority: they compete for the same candidates. */
struct recipe_tier {
    int32_t priority;
    float spacing; /* f: lattice cell = f x smallest viability radius, before rounding */
    float purity;  /* HUGE_VALF: the best always wins */
    /* found by recipe_finish */
    int32_t *species; /* indices, in recipe order */
    int32_t species_count;
    int32_t cell_q;                     /* side of a lattice cell in 1/1024 m */
    float density_per_ha;               /* the largest that a species of the tier asks */
    float radius_max_m, priority_max_m; /* over its species */
    int32_t rounds_per_stage;           /* of competition, see biome/compete.h */
    float *race;                        /* RACE_STEPS entries of (-1 / ln u)^(1 / purity) */
};

struct recipe {
    char **files; /* as messages name them: the recipe's own, then those that it includes */
    int32_t file_count;
    char **layers;
    int32_t layer_count;
    struct recipe_step *steps;
    int32_t step_count;
    struct recipe_variation *variations; /* by size class */
    int32_t variation_count;
    struct recipe_biome *biomes; /* main ones, then zones */
    int32_t biome_count, main_count;
    struct recipe_rule *rules; /* by main biome */
    int32_t rule_count;
    float border_jitter_m, border_scale_m; /* noise that moves painted borders */
    int32_t default_biome;                 /* index: where nothing is painted */
    int32_t biome_by_id[256];              /* index, or -1 */
    struct recipe_species *species;
    int32_t species_count;
    struct recipe_tier *tiers; /* highest priority first */
    int32_t tier_count;
    char **masks; /* that species write: layer mask_<name> */
    int32_t mask_count;
    float distance_max_m; /* of the world's distance fields, distance.mask_<name> among them */
};

/* Fills what is "found by recipe_finish": tiers (settings of those already there are kept, by priority),
 * lattices, bounds. All other fields must be set. STATUS_LIMIT: too many tiers, or no memory. */
enum status recipe_finish(struct recipe *recipe, struct error *err);
/* Frees the recipe and all it owns (everything malloc'ed); NULL allowed. */
void recipe_free(struct recipe *recipe);

/* Whether a stack reads the recipe's layer. */
bool recipe_stack_reads(const struct recipe *recipe, int32_t first, int32_t end, int32_t layer);

/* The object id of an asset whose id is not given: the upper half of the name's hash, never 0. */
uint32_t recipe_object_id(const char *asset);

/* (height / full height)^0.75: how radii grow with an entity's height. */
float recipe_growth(const struct recipe_species *species, float height_m);
/* How far the species' offset can move an entity of that height, in any direction (level false), or over the
 * ground alone, before it is moved along its upright. */
float recipe_offset_m(const struct recipe_species *species, float height_m, bool level);
/* The farthest that any of the recipe's entities can be. */
float recipe_offset_most_m(const struct recipe *recipe, bool level);
/* The crown's radius of an entity of that height, for pictures and masks. */
float recipe_crown_radius_m(const struct recipe_species *species, float height_m);

#endif
