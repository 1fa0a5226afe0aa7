#include "cliff/displace.h"

#include <math.h>

static int32_t wrap(int32_t i, int32_t n) {
    return i < 0 ? i + n : i >= n ? i - n : i;
}

/* Between the four pixels around a place of a tile, -1..1. */
static float value(const struct cliff_image *image, double u_m, double v_m) {
    double high_m = image->tile_m * image->height / image->width;
    double u = u_m / image->tile_m, v = v_m / high_m;
    u = (u - floor(u)) * image->width - 0.5;
    v = (1 - (v - floor(v))) * image->height - 0.5;
    double fu = floor(u), fv = floor(v);
    int32_t x = wrap((int32_t)fu, image->width), y = wrap((int32_t)fv, image->height);
    int32_t x1 = wrap(x + 1, image->width), y1 = wrap(y + 1, image->height);
    float s = (float)(u - fu), t = (float)(v - fv);
    const uint8_t *a = image->pixels + (int64_t)y * image->width,
                  *b = image->pixels + (int64_t)y1 * image->width;
    float upper = (float)a[x] + s * (float)(a[x1] - a[x]), lower = (float)b[x] + s * (float)(b[x1] - b[x]);
    return (upper + t * (lower - upper)) * (2 / 255.0f) - 1;
}

float cliff_displace(const struct cliff_image *images, int32_t count, double x_m, double y_m, double z_m,
                     float east, float north) {
    float e2 = east * east, n2 = north * north, sum = e2 + n2, of_east = sum > 0 ? e2 / sum : 0.5f, push = 0;
    for (int32_t k = 0; k < count; k++) {
        float along_y = of_east > 0 ? value(&images[k], y_m, z_m) : 0;
        float along_x = of_east < 1 ? value(&images[k], x_m, z_m) : 0;
        push += images[k].depth_m * (of_east * along_y + (1 - of_east) * along_x);
    }
    return push;
}
