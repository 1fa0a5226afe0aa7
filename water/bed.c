#include "water/bed.h"

#include "terrain/math.h"

#include <math.h>

static const float BANK_M = 10, GROOVE_M = 0.45f, LIP_M = 0.14f; /* the bank stands over the water */

/* Rise of the cut per metre at the water's edge. */
static float bank_slope(float bend) {
    return bend > 0 ? 0.55f + (0.15f - 0.55f) * (bend / 0.9f) : 0.55f + (1.45f - 0.55f) * (-bend / 0.9f);
}

static float beside(const struct water_sample *s, float ground) {
    float x = s->sd, u = x / BANK_M, fade = 1 - u * u * (3 - 2 * u);
    float cut = s->level + LIP_M + bank_slope(s->bend) * x + 0.1f * x * x;
    float berm = s->level + LIP_M - 0.5f * math_maxf(0, x - 1);
    if (ground > cut) /* never so deep that other water beside it runs out */
        return math_minf(ground, math_maxf(ground + fade * (cut - ground), s->bank + LIP_M));
    if (ground < berm && !(s->flags & PIECE_FALL))
        return ground + fade * (berm - ground);
    return ground;
}

float water_carved(const struct water_sample *s, float ground) {
    if (!(s->sd < BANK_M) || !(s->flags & PIECE_CARVE))
        return ground;
    if (s->sd >= 0)
        return beside(s, ground);
    if (s->flags & PIECE_FALL)
        return math_minf(ground - GROOVE_M * math_minf(1, -s->sd), s->level - 0.05f);
    return s->bed;
}
