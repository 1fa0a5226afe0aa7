#include "gen/compose_water.h"

#include "water/shore.h"

static uint8_t mixed(uint8_t from, float to, float share) {
    float v = (float)from + (to - (float)from) * share;
    return (uint8_t)(v <= 0 ? 0 : v >= 255 ? 255 : v + 0.5f);
}

static void mix(uint8_t rgb[3], const float to[3], float share) {
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int c = 0; c < 3; c++)
        rgb[c] = mixed(rgb[c], to[c], share);
}

void compose_water(const struct compose_water_cell *cell, uint8_t rgb[3]) {
    static const float gravel[3] = {168, 160, 144}, mud[3] = {86, 78, 58}, shallow[3] = {98, 118, 106};
    static const float deep[3] = {36, 70, 84}, foam[3] = {226, 232, 232};
    float light = 1 + 0.12f * cell->noise, damp = (float)cell->dampness / 255;
    if (cell->kind == WATER_NONE) {
        const float pale[3] = {gravel[0] * light, gravel[1] * light, gravel[2] * light};
        const float lush[3] = {(float)rgb[0] * 0.78f, (float)rgb[1] * 0.94f, (float)rgb[2] * 0.74f};
        mix(rgb, lush, 0.7f * damp);
        if (cell->ground == GROUND_GRAVEL)
            mix(rgb, pale, 0.9f);
        if (cell->ground == GROUND_BANK)
            mix(rgb, mud, 0.45f + 0.2f * cell->noise);
        return;
    }
    float depth = (float)cell->depth / WATER_DEPTH_STEPS, speed = (float)cell->speed / WATER_SPEED_STEPS;
    mix(rgb, shallow, 0.75f);
    mix(rgb, deep, depth / 1.1f);
    float white = cell->kind == WATER_FALL ? 0.8f : (speed - 1.4f) / 3.5f;
    mix(rgb, foam, white * (1 + 0.6f * cell->noise));
}
