#include "water/shore.h"

#include "terrain/math.h"
#include <math.h>

static uint8_t code8(float v) {
    return v <= 0 ? 0 : v >= 254.5f ? 255 : (uint8_t)(v + 0.5f);
}

float water_float_max(const struct water_sample *s) {
    if (s->kind == WATER_LAKE || s->kind == WATER_FALL)
        return (float)INFINITY;
    float most = 1.4f * s->depth + 0.5f;
    /* a bed that deeper water beside dug is no less under water */
    return s->flags & PIECE_CARVE ? math_maxf(most, s->level - s->bed + 0.1f) : most;
}

float water_foam_of(const struct water_sample *s) {
    if (s->kind == WATER_FALL)
        return 1;
    float speed = sqrtf(s->flow_x * s->flow_x + s->flow_y * s->flow_y);
    float foam = math_maxf(0, math_minf(0.85f, (speed - 1.8f) / 2.5f));
    return s->flags & PIECE_POOL ? math_maxf(foam, 0.55f) : foam;
}

struct water_cell water_cell_of(const struct water_sample *s, float ground) {
    struct water_cell c = {.bend = 128};
    if (!(s->sd < WATER_REACH_M))
        return c;
    float over = s->level - ground; /* the water's depth */
    bool fall = s->kind == WATER_FALL;
    bool wet = s->sd < 0 && (fall || (over > 0 && over <= water_float_max(s)));
    float away = math_maxf(0, s->sd), high = math_maxf(0, -over);
    c.shore = code8(255 * (1 - fabsf(s->sd) / 3));
    c.bend = (uint8_t)(128 + (int32_t)(s->bend * 141));
    float damp = (1 - away / WATER_REACH_M) * (1 - math_minf(1, high / 3));
    if (high < 0.45f && away < 3)
        damp = math_maxf(damp, 1 - 0.2f * away / 3);
    c.dampness = wet ? 255 : code8(255 * damp);
    if (!wet)
        return c;
    c.water = 255;
    c.depth = (uint16_t)math_minf(65535, (fall ? 0.22f : over) * WATER_DEPTH_STEPS + 0.5f);
    c.kind = s->kind;
    float speed = sqrtf(s->flow_x * s->flow_x + s->flow_y * s->flow_y);
    c.foam = code8(255 * water_foam_of(s));
    c.speed = code8(speed * WATER_SPEED_STEPS);
    if (speed > 1e-3f) {
        float turn = math_atan2_deg(s->flow_x, s->flow_y) * (256.0f / 360.0f); /* clockwise from north */
        c.flow_dir = (uint8_t)((int32_t)floorf(turn + 0.5f) & 255);
    }
    return c;
}

static float ramp(float v, float from, float to) {
    float t = (v - from) / (to - from);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

float water_gravel_share(uint8_t shore, uint8_t dampness, uint8_t bend, float noise) {
    float inner = (float)(bend - 128) / 127, edge = 0.25f * (noise - 0.5f);
    return ramp(inner + edge, 0.26f, 0.5f) * ramp(shore, 5, 60) * ramp(dampness, 185, 215);
}

bool water_ground_may_be(uint8_t shore, uint8_t dampness) {
    return shore > 120 || dampness > 180;
}

enum water_ground water_ground_of(uint8_t kind, uint16_t depth, uint8_t shore, uint8_t dampness, uint8_t bend,
                                  float noise) {
    float inner = (float)(bend - 128) / 127, edge = 0.25f * (noise - 0.5f);
    if (kind != WATER_NONE)
        return depth < 0.12f * WATER_DEPTH_STEPS && inner > 0.3f ? GROUND_GRAVEL : GROUND_BED;
    if (inner + edge > 0.38f && shore > 25 && dampness > 200)
        return GROUND_GRAVEL;
    return (float)dampness / 255 + edge > 0.86f || shore > 150 + 200 * edge ? GROUND_BANK : GROUND_DRY;
}
