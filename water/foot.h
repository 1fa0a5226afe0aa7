/* Owns the place of a piece of a line, from p to q, that is nearest to a place beside it. */
#ifndef WATER_FOOT_H
#define WATER_FOOT_H
#include <math.h>
#include <stdbool.h>

struct water_foot {
    double t, x, y, away; /* 0 at p .. 1 at q; where; how far */
    bool left;            /* the place lies to the left of the piece, or on it */
};

static inline struct water_foot water_foot_of(double px, double py, double qx, double qy, double x,
                                              double y) {
    double dx = qx - px, dy = qy - py, l2 = dx * dx + dy * dy;
    double t = l2 > 0 ? ((x - px) * dx + (y - py) * dy) / l2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    struct water_foot foot = {.t = t, .x = px + t * dx, .y = py + t * dy};
    double ex = x - foot.x, ey = y - foot.y;
    foot.away = sqrt(ex * ex + ey * ey);
    foot.left = dx * (y - py) >= dy * (x - px);
    return foot;
}

/* Between what is at p and what is at q. */
static inline double water_foot_mix(const struct water_foot *foot, double p, double q) {
    return p + foot->t * (q - p);
}

#endif
