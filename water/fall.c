/* Falls: where the level drops steeply enough; each with a pool at its foot. Rapids: steep stretches. */
#include "terrain/math.h"
#include "water/river.h"

#include <math.h>

static const double WITHIN_M = 4.5, SLOPE_MIN = 0.9, POOL_DEPTH_MAX_M = 2.5, RAPID_SLOPE = 0.07,
                    RAPID_HALF_M = 4.5, POOL_FLARE_MAX_M = 6;

static double drop(const struct water_station *s, size_t i) {
    double ds = fabs(s[i + 1].s_m - s[i].s_m);
    return ds > 0 ? (s[i].level - s[i + 1].level) / ds : 0;
}

/* Marks the steep stations of windows that drop enough. */
static void mark(const struct water_river *river, struct water_station *s, size_t n) {
    for (size_t i = 0; i + 1 < n; i++) {
        size_t end = i + 1;
        while (end + 1 < n && fabs(s[end + 1].s_m - s[i].s_m) <= WITHIN_M)
            end++;
        if (s[i].level - s[end].level < river->params.fall_drop_m)
            continue;
        double steepest = 0;
        for (size_t k = i; k < end; k++)
            steepest = math_max(steepest, drop(s, k));
        if (steepest < SLOPE_MIN)
            continue;
        for (size_t k = i; k < end; k++)
            if (drop(s, k) > 0.5 && s[k].lake < 0 && s[k + 1].lake < 0) {
                s[k].flags |= STATION_FALL;
                s[k + 1].flags |= STATION_FALL;
            }
    }
}

static void merge(struct water_station *s, size_t n) {
    size_t last = n;
    for (size_t i = 0; i < n; i++) {
        if (!(s[i].flags & STATION_FALL))
            continue;
        double gap = 2 * (s[i].left + s[i].right) + 2;
        if (last < n && i > last + 1 && fabs(s[i].s_m - s[last].s_m) < gap)
            for (size_t k = last + 1; k < i; k++)
                s[k].flags |= STATION_FALL;
        last = i;
    }
}

/* The widest that water may be `away` m above a lip or below a foot of this half width: where it is no nearer
 * to the fall's own sides than the fall. */
static double widest(double half, double away) {
    return sqrt(half * half + away * away);
}

/* Water does not pass a lip's sides: it is led to it. */
static void lead_to_lip(struct water_station *s, size_t lip) {
    for (size_t i = lip; i-- > 0 && !(s[i].flags & STATION_FALL);) {
        double away = fabs(s[i].s_m - s[lip].s_m);
        if (away > 3 * (s[lip].left + s[lip].right))
            break;
        s[i].left = math_min(s[i].left, widest(s[lip].left, away));
        s[i].right = math_min(s[i].right, widest(s[lip].right, away));
    }
}

/* The stations behind the foot: level with the last of them, wider and deeper in the middle. */
static void dig_pool(struct water_station *s, size_t lip, size_t foot, size_t n) {
    double width = s[foot].left + s[foot].right, height = s[lip].level - s[foot].level;
    double length = math_max(3, math_min(1.8 * width, 12 + 0.6 * width)),
           deep = math_min(POOL_DEPTH_MAX_M, 0.35 * height);
    size_t end = foot;
    while (end + 1 < n && !(s[end + 1].flags & STATION_FALL) && fabs(s[end].s_m - s[foot].s_m) < length)
        end++;
    if (s[end].lake >= 0)
        return;
    double level = s[end].level, left = s[foot].left, right = s[foot].right;
    length = math_max(fabs(s[end].s_m - s[foot].s_m), 1e-6);
    for (size_t i = foot; i <= end; i++) {
        double away = fabs(s[i].s_m - s[foot].s_m), u = away / length,
               bell = math_min(1, 4 * (1 - u)) * math_min(1, 0.4 + 2.4 * u);
        s[i].level = level;
        s[i].depth += deep * bell;
        s[i].left =
            math_min(s[i].left + bell * math_min(0.8 * s[i].left, POOL_FLARE_MAX_M), widest(left, away));
        s[i].right =
            math_min(s[i].right + bell * math_min(0.8 * s[i].right, POOL_FLARE_MAX_M), widest(right, away));
        if (i > foot)
            s[i].flags |= STATION_POOL;
    }
}

void water_find_falls(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        const struct water_edge *edge = &river->edges[e];
        struct water_station *s = river->stations + edge->first;
        size_t n = edge->count;
        mark(river, s, n);
        merge(s, n);
        for (size_t i = 0; i < n; i++) {
            if (!(s[i].flags & STATION_FALL))
                continue;
            size_t lip = i;
            while (i + 1 < n && (s[i + 1].flags & STATION_FALL))
                i++;
            if (i > lip) {
                lead_to_lip(s, lip);
                dig_pool(s, lip, i, n);
            }
        }
    }
}

/* ---- rapids ---- */

double water_slope_over(const struct water_station *s, size_t i, size_t n, double half_m) {
    size_t a = i, b = i;
    while (a > 0 && fabs(s[i].s_m - s[a].s_m) < half_m)
        a--;
    while (b + 1 < n && fabs(s[b].s_m - s[i].s_m) < half_m)
        b++;
    double ds = fabs(s[b].s_m - s[a].s_m);
    return ds > 0 ? (s[a].level - s[b].level) / ds : 0;
}

/* Runs of stations that are (not) marked, shorter than two widths and 4 m, become as what is around them. */
static void drop_short(struct water_station *s, size_t n, bool marked) {
    for (size_t i = 0; i < n;) {
        size_t from = i;
        while (i < n && ((s[i].flags & STATION_RAPIDS) != 0) == marked)
            i++;
        bool inside = from > 0 && i < n && i > from;
        if (inside && fabs(s[i - 1].s_m - s[from].s_m) < 2 * (s[from].left + s[from].right) + 4)
            for (size_t k = from; k < i; k++)
                s[k].flags = marked ? s[k].flags & ~(uint32_t)STATION_RAPIDS : s[k].flags | STATION_RAPIDS;
        i += i == from;
    }
}

void water_find_rapids(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        struct water_station *s = river->stations + river->edges[e].first;
        size_t n = river->edges[e].count;
        for (size_t i = 0; i < n; i++)
            if (water_slope_over(s, i, n, RAPID_HALF_M) >= RAPID_SLOPE)
                s[i].flags |= STATION_RAPIDS;
        drop_short(s, n, false);
        drop_short(s, n, true);
        for (size_t i = 0; i < n; i++)
            if (s[i].lake >= 0 || (s[i].flags & (STATION_FALL | STATION_POOL)))
                s[i].flags &= ~(uint32_t)STATION_RAPIDS;
    }
}
