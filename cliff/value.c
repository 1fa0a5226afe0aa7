#include "cliff/value.h"

#include "terrain/hash.h"
#include <math.h>

float cliff_value(uint64_t seed, uint64_t salt, double x, double y, double z) {
    double f[3] = {floor(x), floor(y), floor(z)};
    float s = (float)(x - f[0]), t = (float)(y - f[1]), r = (float)(z - f[2]);
    s = s * s * (3 - 2 * s), t = t * t * (3 - 2 * t), r = r * r * (3 - 2 * r);
    float c[8];
    for (int32_t k = 0; k < 8; k++)
        c[k] = hash_unit(hash_place(seed, salt, (int32_t)f[0] + (k & 1), (int32_t)f[1] + (k >> 1 & 1),
                                    (uint32_t)((int32_t)f[2] + (k >> 2))));
    float low = (c[0] + s * (c[1] - c[0])) * (1 - t) + (c[2] + s * (c[3] - c[2])) * t;
    float high = (c[4] + s * (c[5] - c[4])) * (1 - t) + (c[6] + s * (c[7] - c[6])) * t;
    return 2 * (low + r * (high - low)) - 1;
}
