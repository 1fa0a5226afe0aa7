#include "gen/compose_water.h"

#include "terrain/hash.h"
#include "terrain/math.h"
#include "water/shore.h"
#include <math.h>

static uint8_t mixed(uint8_t from, float to, float share) {
    float v = (float)from + (to - (float)from) * share;
    return (uint8_t)(v <= 0 ? 0 : v >= 255 ? 255 : v + 0.5f);
}

static void mix(uint8_t rgb[3], const float to[3], float share) {
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int c = 0; c < 3; c++)
        rgb[c] = mixed(rgb[c], to[c], share);
}

static float clamp01(float v) {
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

/* Value noise, one cell wide. */
static float speckle(uint64_t seed, double x, double y) {
    double fx = floor(x), fy = floor(y);
    int32_t i = (int32_t)fx, j = (int32_t)fy;
    float s = (float)(x - fx), t = (float)(y - fy);
    float south =
        hash_unit(hash_place(seed, 1, i, j, 0)) * (1 - s) + hash_unit(hash_place(seed, 1, i + 1, j, 0)) * s;
    float north = hash_unit(hash_place(seed, 1, i, j + 1, 0)) * (1 - s) +
                  hash_unit(hash_place(seed, 1, i + 1, j + 1, 0)) * s;
    return south * (1 - t) + north * t;
}

/* Streaks along the flow, 0..1: the mean of speckles over 4 cells up and down. */
static float streak(const struct compose_water_cell *c) {
    enum { HALF = 4 };
    double turn = c->flow_dir * (6.283185307179586 / 256), dx = math_sin(turn), dy = math_cos(turn);
    float sum = 0;
    for (int k = -HALF; k <= HALF; k++)
        sum += speckle(c->seed, 1.3 * c->x + k * dx, 1.3 * c->y + k * dy);
    return clamp01((sum / (2 * HALF + 1) - 0.5f) * 3.2f + 0.5f);
}

static float foam_share(const struct compose_water_cell *c) {
    float foam = (float)c->foam / 255;
    if (c->kind == WATER_FALL)
        return 0.8f + 0.15f * c->noise;
    if (foam <= 0.02f)
        return 0;
    float patch = 0.5f + 0.5f * c->noise, least = 1 - 0.7f * foam;
    return 0.8f * clamp01((0.7f * streak(c) + 0.3f * patch - least) / 0.3f);
}

static void dry(const struct compose_water_cell *c, uint8_t rgb[3]) {
    static const float gravel[3] = {164, 157, 141}, mud[3] = {86, 78, 58};
    float light = 1 + 0.12f * c->noise, damp = (float)c->dampness / 255;
    const float pale[3] = {gravel[0] * light, gravel[1] * light, gravel[2] * light};
    const float lush[3] = {(float)rgb[0] * 0.78f, (float)rgb[1] * 0.94f, (float)rgb[2] * 0.74f};
    float bar = c->gravel ? water_gravel_share(c->shore, c->dampness, c->bend, 0.5f + 0.5f * c->noise) : 0;
    mix(rgb, lush, 0.7f * damp);
    if (c->ground == GROUND_BANK)
        mix(rgb, mud, 0.45f + 0.2f * c->noise);
    mix(rgb, pale, 0.9f * bar);
}

void compose_water(const struct compose_water_cell *c, uint8_t rgb[3]) {
    static const float shallow[3] = {82, 108, 100}, deep[3] = {36, 70, 84}, foam[3] = {222, 229, 230};
    if (c->kind == WATER_NONE) {
        dry(c, rgb);
        return;
    }
    float depth = (float)c->depth / WATER_DEPTH_STEPS;
    mix(rgb, shallow, 0.8f);
    mix(rgb, deep, 0.12f + depth / 1.1f);
    mix(rgb, foam, foam_share(c));
}
