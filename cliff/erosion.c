#include "cliff/erosion.h"

#include "cliff/value.h"
#include "terrain/hash.h"
#include "terrain/math.h"

#include <math.h>

enum { SALT_START = 0x711ff041, SALT_STEP, SALT_CHUTE = 0x711ff048, SALT_SWAY };
static const double chute_m = 23, small_m = 6, sway_m = 5;
/* A particle's state: where it is, in cells, and which way it runs. */
struct particle {
    float x, y, east, north;
};

/* Heights between cell centres, and their fall. */
static bool fall_at(const struct grid_f32 *g, const struct particle *p, float *east, float *north) {
    float u = p->x - 0.5f, v = p->y - 0.5f, fu = floorf(u), fv = floorf(v);
    int32_t x = (int32_t)fu, y = (int32_t)fv;
    if (x < g->x0 || y < g->y0 || x + 1 >= g->x0 + g->width || y + 1 >= g->y0 + g->height)
        return false;
    const float *a = grid_f32_at(g, x, y), *b = a + g->stride;
    float s = u - fu, t = v - fv;
    *east = (1 - t) * (a[0] - a[1]) + t * (b[0] - b[1]);
    *north = (1 - s) * (a[0] - b[0]) + s * (a[1] - b[1]);
    return true;
}

/* Shared among the four cells around, in sixteenths: a strand is wider than a cell. */
static void deposit(const struct grid_u8 *window, const struct particle *p, uint32_t amount,
                    const uint8_t rgb[3], struct cliff_deposit *out) {
    float u = p->x - 0.5f, v = p->y - 0.5f, fu = floorf(u), fv = floorf(v);
    uint32_t s = (uint32_t)(4 * (u - fu) + 0.5f), t = (uint32_t)(4 * (v - fv) + 0.5f);
    const uint32_t share[4] = {(4 - s) * (4 - t), s * (4 - t), (4 - s) * t, s * t};
    for (int32_t k = 0; k < 4; k++) {
        int32_t x = (int32_t)fu + (k & 1) - window->x0, y = (int32_t)fv + (k >> 1) - window->y0;
        uint32_t part = amount * share[k] / 16;
        if (x < 0 || y < 0 || x >= window->width || y >= window->height || part == 0)
            continue;
        struct cliff_deposit *d = &out[(size_t)y * (size_t)window->width + (size_t)x];
        d->amount += part;
        d->red += part * rgb[0];
        d->green += part * rgb[1];
        d->blue += part * rgb[2];
    }
}

/* strong: 0..1, how much runs down here and how far. */
static void run(const struct cliff_erosion_params *params, const struct grid_f32 *ground,
                const struct grid_u8 *window, int32_t x, int32_t y, float strong, uint16_t bed,
                struct cliff_deposit *out) {
    uint64_t h = hash_place(params->seed, SALT_STEP, x, y, 0);
    struct particle p = {(float)x + hash_unit(h), (float)y + hash_unit(h << 20), 0, 0};
    float stop = (float)(math_sin((double)params->stop_deg * MATH_RAD) /
                         math_cos((double)params->stop_deg * MATH_RAD) * params->cell_m);
    uint8_t rgb[3];
    cliff_bed_color(params->ramp, params->seed, bed, rgb);
    float far = strong * (0.4f + 0.6f * hash_unit(h << 8));
    int32_t life = 4 + (int32_t)(far * (CLIFF_RUN_CELLS - 4));
    for (int32_t n = 0, slow = 0; n < life && slow < 4; n++) {
        float east, north;
        if (!fall_at(ground, &p, &east, &north))
            return;
        float steep = sqrtf(east * east + north * north);
        slow += steep < stop;
        p.east = 0.5f * p.east + east; /* it keeps some of its way */
        p.north = 0.5f * p.north + north;
        /* and all that comes by is turned alike, so strands part and meet */
        float sway = 0.75f * cliff_value(params->seed, SALT_SWAY, (double)p.x * params->cell_m / sway_m,
                                         (double)p.y * params->cell_m / sway_m, 0);
        sway += 0.2f * (2 * hash_unit(hash_mix(h + (uint64_t)n)) - 1);
        float run_east = p.east - sway * p.north, run_north = p.north + sway * p.east;
        float length = sqrtf(run_east * run_east + run_north * run_north);
        if (!(length > 1e-6f))
            return;
        p.x += run_east / length;
        p.y += run_north / length;
        deposit(window, &p, (uint32_t)(64 * (life - n) / life) + 4, rgb, out);
    }
}

/* Debris comes out of chutes: little between them. */
static float chute(const struct cliff_erosion_params *params, int32_t x, int32_t y) {
    double x_m = (x + 0.5) * params->cell_m, y_m = (y + 0.5) * params->cell_m;
    float v = 0.45f + 0.9f * cliff_value(params->seed, SALT_CHUTE, x_m / chute_m, y_m / chute_m, 0) +
              0.45f * cliff_value(params->seed, SALT_CHUTE, x_m / small_m, y_m / small_m, 1);
    return v < 0.08f ? 0.08f : v > 1 ? 1 : v;
}

void cliff_erosion(const struct cliff_erosion_params *params, const struct grid_f32 *ground,
                   const struct grid_u16 *sources, const struct grid_u8 *window, struct cliff_deposit *out) {
    for (int32_t y = sources->y0; y < sources->y0 + sources->height; y++)
        for (int32_t x = sources->x0; x < sources->x0 + sources->width; x++) {
            uint16_t bed = *grid_u16_at(sources, x, y);
            float u = 1.6f * hash_unit(hash_place(params->seed, SALT_START, x, y, 0));
            if (!bed || u >= 1)
                continue;
            float strong = chute(params, x, y);
            if (u < strong)
                run(params, ground, window, x, y, strong, bed, out);
        }
}
