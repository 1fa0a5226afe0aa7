#include "cliff/color.h"

#include "cliff/value.h"
#include "terrain/hash.h"

enum { SALT_COLOR = 0x711ff043, SALT_STREAK, SALT_PATCH };

const struct cliff_ramp cliff_ramp_default = {
    {{{148, 141, 128}, {158, 151, 138}, {139, 133, 122}, {152, 140, 119}, {144, 139, 131}},
     {{141, 126, 103}, {149, 131, 102}, {130, 120, 105}, {143, 130, 111}, {127, 114, 95}},
     {{103, 99, 96}, {110, 101, 92}, {96, 94, 95}, {115, 106, 97}, {105, 98, 90}}},
    {5, 5, 5},
    8,
    32};

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

void cliff_weather(const struct cliff_ramp *ramp, uint64_t seed, const double at[3], float up,
                   uint8_t rgb[3]) {
    static const double wide_m = 2.6, tall_m = 16, patch_m = 21;
    static const float rust[3] = {0.25f, -0.15f, -0.6f};
    if (ramp->weathering == 0)
        return;
    float streak = cliff_value(seed, SALT_STREAK, at[0] / wide_m, at[1] / wide_m, at[2] / tall_m);
    float patch = cliff_value(seed, SALT_PATCH, at[0] / patch_m, at[1] / patch_m, at[2] / patch_m);
    float face = up > 0.6f ? 0.0f : 1.0f, stain = face * (streak + 0.6f * patch);
    float dark = stain > 0.1f ? stain - 0.1f : 0.5f * (stain < -0.3f ? stain + 0.3f : 0);
    dark += up < 0 ? -0.8f * up : 0;
    float rusty = face * (patch < -0.25f ? -0.25f - patch : 0);
    for (int32_t k = 0; k < 3; k++) {
        float by = 1.6f * rusty * rust[k] - dark;
        float v = (float)rgb[k] + (float)ramp->weathering * (by < -1 ? -1 : by > 1 ? 1 : by);
        rgb[k] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
}
