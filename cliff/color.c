#include "cliff/color.h"

#include "terrain/hash.h"

enum { SALT_COLOR = 0x711ff043 };

const struct cliff_ramp cliff_ramp_default = {
    {{{148, 141, 128}, {158, 151, 138}, {139, 133, 122}, {152, 140, 119}, {144, 139, 131}},
     {{141, 126, 103}, {149, 131, 102}, {130, 120, 105}, {143, 130, 111}, {127, 114, 95}},
     {{103, 99, 96}, {110, 101, 92}, {96, 94, 95}, {115, 106, 97}, {105, 98, 90}}},
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
