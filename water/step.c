/* Steps of steep streams: a torrent falls from one small pool to the next, at irregular distances. Each pool
 * lies a little lower than the stream did, never higher: no bank is passed. */
#include "terrain/hash.h"
#include "terrain/math.h"
#include "water/river.h"

#include <math.h>

static const double SLOPE_MIN = 0.07, SLOPE_MAX = 0.3; /* steeper ones would be stairs */
static const double WIDTH_MAX_M = 5.5;                 /* wider ones would be weirs */
static const double LENGTH_M = 5.5, HALF_M = 6, MOUTH_M = 6, RUN_MIN_M = 8;
static const double RISE_MIN_M = 0.5, RISE_MAX_M = 1.6;
static const double CELL_MAX_M = 2; /* in larger cells there is no room */
enum { POOL_STATIONS = 3 };         /* a step from the next, at least */

static bool may_step(const struct water_station *s, size_t i, size_t n) {
    const uint32_t kept = STATION_FALL | STATION_POOL | STATION_MOUTH | STATION_JOINED;
    if (s[i].lake >= 0 || (s[i].flags & kept) || !(s[i].flags & STATION_CARVE) ||
        s[i].left + s[i].right > WIDTH_MAX_M)
        return false;
    double slope = water_slope_over(s, i, n, HALF_M);
    return slope >= SLOPE_MIN && slope <= SLOPE_MAX;
}

/* Where along the line its m-th step lies, how high it may be, and how much of the stream's slope is left to
 * the pool below it: some are chutes. */
struct plan {
    double place, rise, tilt;
};

static struct plan plan_of(uint32_t key, int32_t m) {
    double u[3];
    for (uint32_t k = 0; k < 3; k++)
        u[k] = (double)hash_unit(hash_place(key, 9, m, 0, k));
    return (struct plan){LENGTH_M * (m + 0.1 + 0.8 * u[0]), RISE_MIN_M + (RISE_MAX_M - RISE_MIN_M) * u[1],
                         0.06 + 0.5 * u[2] * u[2]};
}

/* The pool below a step, from the one after station k up to a station, at most `end`. */
static size_t pool_end(const struct water_station *s, size_t k, size_t end, uint32_t key, double *tilt) {
    int32_t m = (int32_t)math_max(-1e8, math_min(1e8, floor(s[k].s_m / LENGTH_M) - 1));
    struct plan next = plan_of(key, m);
    while (next.place <= s[k].s_m)
        next = plan_of(key, ++m);
    size_t e = k;
    while (e < end && (e < k + POOL_STATIONS || s[e + 1].s_m <= next.place) &&
           (e < k + 2 || s[k].level - s[e + 1].level <= next.rise))
        e++;
    *tilt = next.tilt;
    return end - e < POOL_STATIONS && s[k].level - s[end].level <= RISE_MAX_M ? end : e;
}

static void set_speed(struct water_station *s, double speed) {
    if (!(s->speed > 0))
        s->speed = speed;
}

/* The pool of stations (k, e], below the step at k: deepest and widest behind its head, white there. */
static void make_pool(struct water_station *s, size_t k, size_t e, double tilt) {
    double level = s[e].level, rise = s[k].level - level;
    set_speed(&s[k], 3);
    for (size_t i = k + 1; i <= e; i++) {
        double t = (double)(i - k) / (double)(e - k), bell = 4 * t * (1 - t) + (t < 0.5 ? 0.3 : 0);
        set_speed(&s[i], i == k + 1 ? math_min(4.5, 3.4 + rise) : i == k + 2 ? 2.8 : 0.7);
        s[i].level = level + tilt * (s[i].level - level);
        s[i].depth *= 0.8 + 0.5 * bell;
        s[i].left *= 0.92 + 0.2 * bell;
        s[i].right *= 0.92 + 0.2 * bell;
    }
}

static void mark_mouths(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        if (river->edges[e].mouth < 0)
            continue;
        const struct water_edge *main = &river->edges[river->edges[e].mouth];
        const struct water_station *at = &river->stations[river->edges[e].mouth_station];
        for (size_t k = 0; k < main->count; k++) {
            struct water_station *s = &river->stations[main->first + k];
            if (fabs(s->s_m - at->s_m) < MOUTH_M + s->left + s->right)
                s->flags |= STATION_JOINED;
        }
    }
}

void water_make_steps(struct water_river *river) {
    if (river->params.cell_m > CELL_MAX_M)
        return;
    mark_mouths(river);
    for (size_t x = 0; x < river->edge_count; x++) {
        const struct water_line *line = &river->lines[river->edges[x].line];
        struct water_station *s = river->stations + river->edges[x].first;
        size_t n = river->edges[x].count;
        for (size_t i = 0, end; line->kind != WATER_DITCH && i < n; i = end + 1) {
            end = i;
            if (!may_step(s, i, n))
                continue;
            while (end + 1 < n && may_step(s, end + 1, n))
                end++;
            if (fabs(s[end].s_m - s[i].s_m) < RUN_MIN_M)
                continue;
            for (size_t k = i, e; k < end; k = e) {
                double tilt;
                e = pool_end(s, k, end, line->key, &tilt);
                make_pool(s, k, e, tilt);
            }
        }
    }
}
