/* How wide water is: as drawn, wandering; in a river's area as wide as that. */
#include "terrain/hash.h"
#include "terrain/math.h"
#include "water/river.h"

#include <math.h>

enum { AREA_HALF_MAX_M = 80, AREA_TURNS = 8 };
static const double ALONG = 1.15, ACROSS = 1.45; /* a chord so many times the area's width */

/* ---- a river's area ---- */

/* Metres from a place in the area to where there is none, in steps; no more than `most`. Areas side by side
 * are one. */
static double way_out(const struct water_river *river, int32_t area, const double at[2], double dx, double dy,
                      double step, double most) {
    double d = 0;
    while (d < most) {
        double x = at[0] + (d + step) * dx, y = at[1] + (d + step) * dy;
        if (!water_lake_holds(&river->lakes[area], x, y) && water_lake_at(river, x, y, true) < 0)
            break;
        d += step;
    }
    return d + 0.5 * step;
}

/* What of an area is around a place: its shortest chord, as far as that is shorter than *chord, and the way
 * to its border. The first direction looked at is the one next to (dx, dy). */
static void look_around(const struct water_river *river, int32_t area, const double at[2], double dx,
                        double dy, double *chord, double *border) {
    static const double C = 0.92387953251128674, S = 0.38268343236508977; /* 22.5 degrees */
    double most = *chord, step = math_max(1, most / 48), way[2 * AREA_TURNS];
    for (int k = 1; k < 2 * AREA_TURNS; k++) {
        double x = C * dx - S * dy, y = S * dx + C * dy;
        dx = x;
        dy = y;
        if (k == AREA_TURNS)
            continue;
        way[k] = way_out(river, area, at, dx, dy, step, most);
        *border = math_min(*border, way[k]);
        if (k > AREA_TURNS)
            *chord = math_min(*chord, way[k] + way[k - AREA_TURNS]);
    }
}

/* Half a width: the way to the area's edge where the line runs along the area; where it crosses the area, or
 * an arm of it begins at its side, no more than to the nearest edge. A line that comes in is as wide as
 * drawn, then wider little by little. */
static double half_of(double drawn, double way, double border, double along) {
    double half = border + along * (way - border);
    return math_max(drawn, math_min(half, drawn + 1.5 * border));
}

static void widen_in_area(const struct water_river *river, int32_t area, struct water_station *s) {
    const double at[2] = {s->x, s->y};
    double left = way_out(river, area, at, -s->ty, s->tx, 1, AREA_HALF_MAX_M),
           right = way_out(river, area, at, s->ty, -s->tx, 1, AREA_HALF_MAX_M), whole = left + right;
    double chord = whole / ALONG, border = math_min(left, right);
    look_around(river, area, at, -s->ty, s->tx, &chord, &border);
    double along = math_max(0, math_min(1, (ACROSS - whole / chord) / (ACROSS - ALONG)));
    s->left = half_of(s->left, left, border, along);
    s->right = half_of(s->right, right, border, along);
}

/* ---- as drawn ---- */

static double wave(uint32_t key, double s_m, double wave_m) {
    double u = s_m / wave_m, f = floor(u), t = u - f;
    int32_t i = (int32_t)math_max(-1e9, math_min(1e9, f));
    double a = (double)hash_unit(hash_place(key, 1, i, 0, 0)),
           b = (double)hash_unit(hash_place(key, 1, i + 1, 0, 0));
    return 2 * (a + t * t * (3 - 2 * t) * (b - a)) - 1;
}

/* A width that wanders: the banks of real water run beside each other, not parallel. The wider, the longer
 * the waves. */
static double wander(uint32_t key, double s_m, double width) {
    double wide = math_max(0, math_min(1, (width - 8) / 16));
    double v = (0.14 - 0.11 * wide) * wave(key, s_m, 11) + 0.08 * (1 - wide) * wave(key ^ 1u, s_m, 4.5);
    return wide > 0 ? v + 0.13 * wide * wave(key ^ 4u, s_m, 38) : v;
}

void water_set_widths(const struct water_river *river, const struct water_line *line,
                      struct water_station *s) {
    int32_t area = water_lake_at(river, s->x, s->y, true);
    if (area >= 0) {
        widen_in_area(river, area, s);
    } else if (line->kind != WATER_DITCH) {
        double width = s->left + s->right;
        s->left *= 1 + wander(line->key, s->s_m, width);
        s->right *= 1 + wander(line->key ^ 2u, s->s_m, width);
    }
    double width = s->left + s->right;
    if (!(s->depth > 0))
        s->depth = 0.27 * math_pow(width, 0.6);
}
