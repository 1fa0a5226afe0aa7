/* Owns `terrane export --for images`: the sections' rasters of an out folder put together, one image for each
 * map or for the whole world, row by row, so that a world larger than memory is no trouble. Codes stay as
 * they are; beside each image NAME.png lies NAME.json with its place and how codes become values. */
#ifndef GEN_EXPORT_IMAGES_H
#define GEN_EXPORT_IMAGES_H
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct export_options {
    bool whole_world;         /* DIR/height.png; else DIR/x3_y2_height.png for each map */
    const char *const *names; /* outputs to write ("height"); NULL: all */
    size_t name_count;
};
struct export_report {
    int64_t images;
    int64_t missing_maps; /* that OUT/manifest.json lists and that have no manifest of their own: left out */
    int64_t missing_sections; /* inside an image's rectangle: code 0 there, listed in its .json */
};

/* STATUS_FILE: cannot be read or written; STATUS_INPUT: no such output, sections with different encodings
 * (bake them again together), a file that its manifest does not describe. */
enum status export_images(const char *out, const char *to, const struct export_options *options,
                          struct export_report *report, struct error *err);

#endif
