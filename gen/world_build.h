/* Owns how world.yaml becomes a struct world: what the files gen/world*.c share. Private to them.
 *
 * Two passes. The first reads settings from the YAML tree alone, touches no file, and is what the fuzzer
 * runs; the second looks at the files that the first has named. Both report and go on. */
#ifndef GEN_WORLD_BUILD_H
#define GEN_WORLD_BUILD_H
#include "gen/world.h"
#include "gen/yaml.h"

enum { EXTENT_CELLS_MAX = 1 << 29, EXTENT_SECTIONS_MAX = 4000000 };
/* How much finer or coarser than the cell a source may be: 2^6 times. */
enum { SOURCE_LOG2_MAX = 6 };

struct named_root {
    char *name, *path;
};

struct world_build {
    struct world *world;
    struct yaml_node *yaml;
    struct report *report;
    const struct world_options *options; /* may be NULL */
    struct named_root *roots;
    size_t root_count;
    bool extent_known;  /* false: size, origin or cell are wrong, so nothing is said of sizes */
    bool spacing_known; /* of the heights: fits the extent, so that their files' sizes can be checked */
    bool no_memory;     /* reported once */
};

/* First pass. */
void build_roots(struct world_build *b);    /* roots: (gen/world_paths.c) */
void build_extent(struct world_build *b);   /* world:, grid: (gen/world_extent.c) */
void build_settings(struct world_build *b); /* survey: store: tools: (gen/world_settings.c) */
void build_noises(struct world_build *b);   /* noise: (gen/world_noise.c) */
void build_height(struct world_build *b);   /* height: output: (gen/world_height.c) */
void build_masks(struct world_build *b);    /* masks: (gen/world_masks.c) */
/* splines: placed: biomes: (gen/world_features.c): shapes of the values only */
void build_features(struct world_build *b);

/* The two words of freshwater's settings and of lines' properties: false, true (gen/world_freshwater.c). */
extern const char *const water_carve_words[2], *const water_fit_words[2], *const water_direction_words[2];

void build_cliffs(struct world_build *b);                                 /* cliffs: (gen/world_cliffs.c) */
void build_cliff_images(struct world_build *b, struct yaml_node *cliffs); /* gen/world_cliff_images.c */
void build_freshwater(struct world_build *b); /* freshwater: (gen/world_freshwater.c) */

/* Second pass. */
void build_height_files(struct world_build *b);
void build_mask_files(struct world_build *b);
void build_feature_files(struct world_build *b);
/* noise: of a recipe, under the world's. */
void build_recipe_noises(struct world_build *b, struct yaml_node *recipe);
void build_cliff_image_files(struct world_build *b);
void build_cliff_images_free(struct cliff_settings *settings);
void build_check_cliffs(struct world_build *b); /* the mask strata against its presets */
void build_check_water(struct world_build *b);  /* the drawn water (gen/world_water.c) */
/* Whether places and densities fit what numbers and scratch can hold (gen/world_sizes.c). */
void build_check_sizes(struct world_build *b);
/* Needs all the world: whether each layer that is named can be made (gen/world_layers.c). */
void build_check_layers(struct world_build *b);

/* The first pass alone, over a text that is called world.yaml: for the fuzzer. */
void build_check_text(const char *text, size_t size, struct report *report);

/* A copy of text; NULL without memory (reported). */
char *build_copy(struct world_build *b, const char *text);
/* Reports that there is no memory, once. */
void build_no_memory(struct world_build *b);
/* calloc with the same. count may be 0. */
void *build_alloc(struct world_build *b, size_t count, size_t size);

/* Sets a value of a tree as "KEY=VALUE" says; `path` is where the key begins in `set`. False: reported. */
bool build_apply_set(struct world_build *b, struct yaml_node *root, const char *path, const char *set);
/* The path within the recipe of a --set that means a value in the recipe's file ("biomes.trees.seed=2"), or
 * NULL. */
const char *build_recipe_path(const struct world_build *b, const char *set);

/* A path as the world says it ("heights/a.png", "art:heights/a.png", "/mnt/a.png"), resolved; what `at` is
 * reported for. NULL: reported. */
char *build_path(struct world_build *b, const struct yaml_node *at, const char *written);
/* The same, but relative paths start at `folder` ("." or as a path that was resolved). */
char *build_path_beside(struct world_build *b, const struct yaml_node *at, const char *folder,
                        const char *written);
/* What may have been meant where there is no file of that path: ": did you mean 'paint/Biome.png'?" (letters'
 * case, another ending, a slip, a root), or nothing. (gen/world_nearfile.c) */
void build_file_hint(const struct world_build *b, const char *written, const char *path, bool tile,
                     char out[600]);
void build_roots_free(struct world_build *b);
/* A name of a mask, noise or root: letters, digits and _, a letter first. */
bool build_name_good(const char *name);

/* Fills the source's name, pattern, place and the list of its files from `files:` of `map` (one file, a
 * pattern with {x} {y}, or a list of {map: [x, y], file: PATH}). Needs the extent to be known for patterns.
 * False: nothing there, reported. */
bool build_source(struct world_build *b, const char *name, struct yaml_node *map, struct source *source);
void build_source_free(struct source *source);
/* Second pass: which files are there (missing ones reported unless allowed), two files for one map. */
void build_source_presence(struct world_build *b, struct source *source, enum missing_policy missing);
/* Reports at the source's place: "heights/a.png: text". */
void build_file_error(struct world_build *b, const struct source *source, const struct source_file *file,
                      enum status status, const char *format, ...) PRINTF_LIKE(5, 6);
/* The world's cells that a file covers. */
struct rect build_file_cells(const struct world *world, const struct source_file *file);
/* cells * 2^log2, or 0 when that is no whole number or more than an image may have. */
int32_t build_scaled(int32_t cells, int32_t log2);

/* Reads `legend:` of a mask: a file's path, or a map from names to "#rrggbb" or {color, id}. */
void build_legend(struct world_build *b, const struct yaml_node *legend, struct world_mask *mask);

/* A pattern's file for a map: "{x}" and "{x:02}" replaced (as printf's %d and %02d do). NULL: no memory. */
char *build_tile_name(const char *pattern, int32_t x, int32_t y);
/* 1: a good pattern with {x} and {y}; 0: no braces; -1: wrong, and *why says what. */
int build_pattern_check(const char *pattern, const char **why);
/* Whether a file name is what the pattern gives for some map with any padding. */
bool build_pattern_match(const char *pattern, const char *name, int32_t *x, int32_t *y);

#endif
