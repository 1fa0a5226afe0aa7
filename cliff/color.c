#include "cliff/color.h"

#include "terrain/hash.h"

enum { SALT_COLOR = 0x711ff043 };

const struct cliff_ramp cliff_ramp_default = {
    {{{168, 162, 150}, {178, 172, 160}, {157, 151, 141}, {172, 161, 142}, {163, 159, 153}},
     {{158, 144, 122}, {166, 150, 122}, {147, 138, 124}, {161, 149, 132}, {144, 132, 114}},
     {{117, 113, 111}, {123, 115, 107}, {109, 107, 109}, {129, 121, 113}, {119, 113, 105}}},
    {5, 5, 5},
    8};

void cliff_bed_color(const struct cliff_ramp *ramp, uint64_t seed, uint16_t bed, uint8_t rgb[3]) {
    uint64_t h = hash_place(seed, SALT_COLOR, bed, 0, 0);
    int32_t kind = (bed - 1) & 3;
    kind = kind >= CLIFF_KINDS ? 0 : kind;
    const uint8_t *base = ramp->rgb[kind][h % (uint64_t)ramp->count[kind]];
    int32_t lighter = (int32_t)((h >> 32) % (uint64_t)(2 * ramp->variation + 1)) - ramp->variation;
    for (int32_t k = 0; k < 3; k++) {
        int32_t v = base[k] + lighter;
        rgb[k] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}
