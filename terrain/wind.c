#include "terrain/wind.h"
#include "terrain/clones.h"
#include "terrain/horizon.h"
#include "terrain/math.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { AZIMUTHS = 5 };
static const double azimuth_step_rad = 7.5 * MATH_RAD;

/* In cells: the arm of curvatures, of slopes, and the radius of each of two box means. */
struct arms {
    int32_t curvature, slope, box;
};

static int32_t cells_of(double metres, double cell_m, int32_t least) {
    int32_t n = (int32_t)floor(metres / cell_m + 0.5);
    return n > least ? n : least;
}
static struct arms arms_of(const struct wind_params *p) {
    assert(p->scale_m / p->cell_m <= WIND_CELLS_MAX && p->shelter_m / p->cell_m <= WIND_CELLS_MAX);
    return (struct arms){.curvature = cells_of(p->scale_m, p->cell_m, 1),
                         .slope = cells_of(p->scale_m / 4, p->cell_m, 1),
                         .box = cells_of(p->scale_m / 8, p->cell_m, 0)};
}
static struct horizon_params shelter_params(const struct wind_params *p) {
    return (struct horizon_params){.cell_m = p->cell_m, .radius_m = p->shelter_m};
}

int32_t wind_reach(const struct wind_params *params) {
    struct arms arms = arms_of(params);
    struct horizon_params shelter = shelter_params(params);
    int32_t smooth = arms.curvature + 2 * arms.box;
    int32_t look = params->shelter_m > 0 ? horizon_reach(&shelter) : 0;
    return smooth > look ? smooth : look;
}

size_t wind_scratch(const struct wind_params *params, int32_t width, int32_t height) {
    struct arms arms = arms_of(params);
    struct horizon_params shelter = shelter_params(params);
    size_t side = 2 * ((size_t)arms.curvature + 2 * (size_t)arms.box);
    size_t smooth = ((size_t)width + side) * ((size_t)height + side), cells = (size_t)width * (size_t)height;
    return 2 * arena_need(smooth, sizeof(int32_t)) + arena_need((size_t)width + side, sizeof(int64_t)) +
           2 * arena_need(cells, sizeof(float)) +
           (params->shelter_m > 0 ? horizon_scratch(&shelter, width, height) : 0);
}

/* A square mean: out, (width - 2 box) x (height - 2 box), from in, width x height; columns: width sums. */
static void box_mean(const int32_t *in, int32_t width, int32_t height, int32_t box, int32_t *out,
                     int64_t *columns) {
    int32_t side = 2 * box + 1, out_width = width - 2 * box;
    double share = 1 / ((double)side * side);
    memset(columns, 0, (size_t)width * sizeof *columns);
    for (int32_t y = 0; y < height; y++) {
        const int32_t *come = in + (ptrdiff_t)y * width, *gone = come - (ptrdiff_t)side * width;
        for (int32_t x = 0; x < width; x++)
            columns[x] += come[x];
        if (y >= side)
            for (int32_t x = 0; x < width; x++)
                columns[x] -= gone[x];
        if (y < side - 1)
            continue;
        int32_t *to = out + (ptrdiff_t)(y - side + 1) * out_width;
        int64_t sum = 0;
        for (int32_t x = 0; x < side - 1; x++)
            sum += columns[x];
        for (int32_t x = 0; x < out_width; x++) {
            sum += columns[x + side - 1];
            to[x] = (int32_t)floor((double)sum * share + 0.5);
            sum -= columns[x];
        }
    }
}

static inline int32_t fixed(float height_m) {
    float limited = height_m > 1e6f ? 1e6f : height_m < -1e6f ? -1e6f : height_m;
    return (int32_t)floorf(limited * 256.0f + 0.5f);
}

/* Heights in 1/256 m around the cells, smoothed; the window is the cells grown by the curvature's arm. */
static bool smooth(const struct arms *arms, const struct grid_f32 *altitude, const struct grid_u8 *cells,
                   struct arena *arena, struct grid_i32 *out) {
    int32_t pad = arms->curvature + 2 * arms->box;
    int32_t width = cells->width + 2 * pad, height = cells->height + 2 * pad;
    int32_t *a = arena_alloc(arena, (size_t)width * (size_t)height, sizeof *a);
    int32_t *b = arena_alloc(arena, (size_t)width * (size_t)height, sizeof *b);
    int64_t *columns = arena_alloc(arena, (size_t)width, sizeof *columns);
    if (!a || !b || !columns)
        return false;
    for (int32_t y = 0; y < height; y++) {
        const float *from = grid_f32_at(altitude, cells->x0 - pad, cells->y0 - pad + y);
        for (int32_t x = 0; x < width; x++)
            a[(ptrdiff_t)y * width + x] = fixed(from[x]);
    }
    box_mean(a, width, height, arms->box, b, columns);
    width -= 2 * arms->box;
    height -= 2 * arms->box;
    box_mean(b, width, height, arms->box, a, columns);
    *out = (struct grid_i32){.cells = a,
                             .x0 = cells->x0 - arms->curvature,
                             .y0 = cells->y0 - arms->curvature,
                             .width = width - 2 * arms->box,
                             .height = height - 2 * arms->box};
    out->stride = out->width;
    return true;
}

/* Sums over the azimuths of the upwind looks' tangents. */
static bool look_upwind(const struct wind_params *p, const struct grid_f32 *altitude,
                        const struct grid_u8 *cells, float *sum, float *tangent, struct arena *arena) {
    size_t count = (size_t)cells->width * (size_t)cells->height;
    memset(sum, 0, count * sizeof *sum);
    if (p->shelter_m <= 0)
        return true;
    struct horizon horizon;
    struct horizon_params params = shelter_params(p);
    struct grid_f32 place = {
        .x0 = cells->x0, .y0 = cells->y0, .width = cells->width, .height = cells->height};
    if (!horizon_begin(&horizon, &params, altitude, &place, arena))
        return false;
    for (int32_t i = 0; i < AZIMUTHS; i++) {
        int32_t turn = i - AZIMUTHS / 2;
        double azimuth = p->from_rad + turn * azimuth_step_rad;
        horizon_towards(&horizon, math_sin(azimuth), math_cos(azimuth), tangent);
        for (size_t c = 0; c < count; c++)
            sum[c] += tangent[c];
    }
    return true;
}

/* What a row needs: constants of the model in single precision. */
struct model {
    float east, north, from_turns; /* the unit vector to where the wind comes from; in 1/256 turns */
    float slope_scale;             /* difference of heights over the slope's arms -> rise per m */
    float straight, diagonal;      /* height above the mean of two opposite points -> share of C */
    float slope_weight, curvature_weight;
};
static struct model model_of(const struct wind_params *p, const struct arms *arms) {
    double unit = 1.0 / 256, arm_m = arms->curvature * p->cell_m;
    double turns = p->from_rad / (2 * MATH_PI);
    return (struct model){
        .east = (float)math_sin(p->from_rad),
        .north = (float)math_cos(p->from_rad),
        .from_turns = (float)(256 * (turns - floor(turns))),
        .slope_scale = (float)(unit / (2 * arms->slope * p->cell_m)),
        /* twice (scaled to 0.5 at 0.25), over two arms, mean of four; heights come as 2 z - a - b */
        .straight = (float)(2 * unit / 2 / (2 * arm_m) / 4),
        .diagonal = (float)(2 * unit / 2 / (2 * arm_m * sqrt(2.0)) / 4),
        .slope_weight = (float)p->slope_weight,
        .curvature_weight = (float)p->curvature_weight,
    };
}

static inline float half_limit(float v) {
    return v > 0.5f ? 0.5f : v < -0.5f ? -0.5f : v;
}
/* C of a cell from the smoothed heights (exact in integers). */
static inline float curvature(const struct model *m, const int32_t *z, ptrdiff_t stride, int32_t arm) {
    ptrdiff_t up = stride * arm;
    int32_t straight = 4 * z[0] - z[-arm] - z[arm] - z[-up] - z[up];
    int32_t diagonal = 4 * z[0] - z[-up - arm] - z[up + arm] - z[-up + arm] - z[up - arm];
    return half_limit((float)straight * m->straight + (float)diagonal * m->diagonal);
}
/* S of a slope of tangent `rise` in all and `along` in the wind, 1 / (pi / 2) of its angle. */
static inline float slope_effect(float rise, float along) {
    float angle = math_atan_deg(rise) * (1.0f / 90.0f);
    return half_limit(rise > 0 ? angle * along / rise : 0.0f);
}

TERRAIN_CLONES static void make_row(const struct model *m, const struct arms *arms, const int32_t *restrict z,
                                    ptrdiff_t stride, const float *restrict looks, int32_t n,
                                    uint8_t *restrict strength, uint8_t *restrict direction) {
    ptrdiff_t up = stride * arms->slope;
    for (int32_t x = 0; x < n; x++) {
        float east = (float)(z[x + arms->slope] - z[x - arms->slope]) * m->slope_scale;
        float north = (float)(z[x + up] - z[x - up]) * m->slope_scale;
        float along = -(east * m->east + north * m->north), aside = north * m->east - east * m->north;
        float squared = east * east + north * north, rise = sqrtf(squared);
        float speed = 1.0f + m->slope_weight * slope_effect(rise, along) +
                      m->curvature_weight * curvature(m, z + x, stride, arms->curvature);
        float look = looks[x] * (1.0f / AZIMUTHS);
        speed /= 1.0f + 6.0f * look * look;
        float code = speed * 128.0f + 0.5f;
        strength[x] = (uint8_t)(int32_t)(code < 255.0f ? code > 0.0f ? code : 0.0f : 255.0f);
        /* sin(2 a) = 2 sin a cos a, of the angle between aspect and wind; 0.225 degrees a percent */
        float percent = along > 1.0f ? 100.0f : along < -1.0f ? -100.0f : along * 100.0f;
        float turn = squared > 0 ? percent * 2 * aside * along / squared : 0.0f;
        float turned = m->from_turns - 0.225f / 360.0f * 256.0f * turn + 256.5f;
        direction[x] = (uint8_t)((int32_t)turned & 255);
    }
}

bool wind_make(const struct wind_params *params, const struct grid_f32 *altitude,
               const struct grid_u8 *strength, const struct grid_u8 *direction, struct arena *arena) {
    struct arms arms = arms_of(params);
    struct model model = model_of(params, &arms);
    int32_t width = strength->width, height = strength->height;
    size_t mark = arena_mark(arena), count = (size_t)width * (size_t)height;
    struct grid_i32 z;
    float *looks = arena_alloc(arena, count, sizeof *looks);
    float *tangent = arena_alloc(arena, count, sizeof *tangent);
    bool ok = looks && tangent && smooth(&arms, altitude, strength, arena, &z) &&
              look_upwind(params, altitude, strength, looks, tangent, arena);
    for (int32_t y = strength->y0; ok && y < strength->y0 + height; y++)
        make_row(&model, &arms, grid_i32_at(&z, strength->x0, y), z.stride,
                 looks + (ptrdiff_t)(y - strength->y0) * width, width, grid_u8_at(strength, strength->x0, y),
                 grid_u8_at(direction, strength->x0, y));
    arena_release(arena, mark);
    return ok;
}
