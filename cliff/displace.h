/* Owns displacement images: grey pictures that tile the world and push the rock out and in. */
#ifndef CLIFF_DISPLACE_H
#define CLIFF_DISPLACE_H
#include <stdint.h>

enum { CLIFF_IMAGES_MAX = 4 };

struct cliff_image {
    const uint8_t *pixels; /* rows from the top; 255 pushes out by depth_m, 0 in by as much */
    int32_t width, height; /* 1 or more */
    double tile_m;         /* [m] > 0: how wide one tile is; as high as its shape says */
    float depth_m;         /* [m] 0..1 */
};

/* The push of some images together [m] where the ground rises by east and north per metre: on faces that look
 * north or south u runs east, on those that look east or west north, and between these the two are mixed; v
 * runs up. Tiles are anchored at the world's origin, height 0. */
float cliff_displace(const struct cliff_image *images, int32_t count, double x_m, double y_m, double z_m,
                     float east, float north);

#endif
