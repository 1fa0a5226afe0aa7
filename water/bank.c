/* What the ground allows: the banks of every station, the shores of lakes. */
#include "water/river.h"

#include "terrain/math.h"
#include <math.h>

static const double SHORE_UNDER_M = 0.1, TOUCH_LEVEL_M = 1;

/* ---- lakes ---- */

static size_t ring_first(const struct water_lake *lake, size_t ring) {
    return ring ? lake->ring_end[ring - 1] : 0;
}

/* Even-odd, by a ray to the east. */
bool water_lake_holds(const struct water_lake *lake, double x, double y) {
    bool in = false;
    for (size_t r = 0; r < lake->ring_count; r++) {
        size_t first = ring_first(lake, r), end = lake->ring_end[r];
        for (size_t i = first, j = end - 1; i < end; j = i++) {
            const double *a = lake->xy + 2 * i, *b = lake->xy + 2 * j;
            if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
                in = !in;
        }
    }
    return in;
}

int32_t water_lake_at(const struct water_river *river, double x, double y, bool river_area) {
    for (size_t l = 0; l < river->lake_count; l++) {
        const struct water_lake *lake = &river->lakes[l];
        if (lake->river_area == river_area && x >= lake->x0 && x <= lake->x1 && y >= lake->y0 &&
            y <= lake->y1 && water_lake_holds(lake, x, y))
            return (int32_t)l;
    }
    return -1;
}

double water_lake_nearest(const struct water_lake *lake, double x, double y, double at[2]) {
    double best = (double)INFINITY;
    for (size_t r = 0; r < lake->ring_count; r++) {
        size_t first = ring_first(lake, r), end = lake->ring_end[r];
        for (size_t i = first, j = end - 1; i < end; j = i++) {
            const double *a = lake->xy + 2 * j, *b = lake->xy + 2 * i;
            double dx = b[0] - a[0], dy = b[1] - a[1], l = dx * dx + dy * dy;
            double t = l > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / l : 0;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double px = a[0] + t * dx, py = a[1] + t * dy;
            double d = (px - x) * (px - x) + (py - y) * (py - y);
            if (d < best) {
                best = d;
                at[0] = px;
                at[1] = py;
            }
        }
    }
    return sqrt(best);
}

struct shore {
    double low, high, high_x, high_y;
};

/* The outer ring's area. */
static double area_of(const struct water_lake *lake) {
    double sum = 0;
    const double *o = lake->xy;
    for (size_t i = 1; i + 1 < lake->ring_end[0]; i++) {
        const double *p = lake->xy + 2 * i;
        sum += (p[0] - o[0]) * (p[3] - o[1]) - (p[2] - o[0]) * (p[1] - o[1]);
    }
    return fabs(0.5 * sum);
}

/* The lowest and the highest place of a shore; of its part in the world, unless it has none: what lies beyond
 * the edge is the lake's own ground. */
static struct shore measure_shore(const struct water_river *river, const struct water_lake *lake) {
    const struct water_params *p = &river->params;
    double spacing = water_spacing_m(p->cell_m);
    struct shore in = {(double)INFINITY, -(double)INFINITY, 0, 0}, out = in;
    for (size_t r = 0; r < lake->ring_count; r++) {
        size_t first = ring_first(lake, r), end = lake->ring_end[r];
        for (size_t i = first, j = end - 1; i < end; j = i++) {
            const double *a = lake->xy + 2 * j, *b = lake->xy + 2 * i;
            double dx = b[0] - a[0], dy = b[1] - a[1];
            int32_t n = (int32_t)math_min(1e6, ceil(sqrt(dx * dx + dy * dy) / spacing));
            for (int32_t k = 0; k < n; k++) {
                double x = a[0] + dx * k / n, y = a[1] + dy * k / n;
                double z = water_height_at(river->heights, x, y);
                struct shore *s = x >= p->x0_m && x <= p->x1_m && y >= p->y0_m && y <= p->y1_m ? &in : &out;
                s->low = z < s->low ? z : s->low;
                if (z > s->high) {
                    s->high = z;
                    s->high_x = x;
                    s->high_y = y;
                }
            }
        }
    }
    return in.low < (double)INFINITY ? in : out;
}

void water_bound_lakes(struct water_river *river) {
    for (size_t l = 0; l < river->lake_count; l++) {
        struct water_lake *lake = &river->lakes[l];
        lake->x0 = lake->x1 = lake->xy[0];
        lake->y0 = lake->y1 = lake->xy[1];
        for (size_t i = 0; i < lake->ring_end[lake->ring_count - 1]; i++) {
            lake->x0 = math_min(lake->x0, lake->xy[2 * i]);
            lake->x1 = math_max(lake->x1, lake->xy[2 * i]);
            lake->y0 = math_min(lake->y0, lake->xy[2 * i + 1]);
            lake->y1 = math_max(lake->y1, lake->xy[2 * i + 1]);
        }
    }
}

void water_measure_lakes(struct water_river *river) {
    water_bound_lakes(river);
    for (size_t l = 0; l < river->lake_count; l++) {
        struct water_lake *lake = &river->lakes[l];
        double area = lake->whole_m2 > 0 ? lake->whole_m2 : area_of(lake);
        struct shore shore = measure_shore(river, lake);
        lake->depth = lake->depth_m > 0 ? lake->depth_m : math_max(1, math_min(8, 0.05 * sqrt(area)));
        lake->shore_m = shore.low;
        lake->shore_high_m = shore.high;
        lake->high_x = shore.high_x;
        lake->high_y = shore.high_y;
        lake->level = lake->level_m == lake->level_m ? lake->level_m : lake->shore_m - SHORE_UNDER_M;
    }
}

/* ---- stations ---- */

/* A stream begins narrow: over its first 24 m or 8 widths where nothing flows in. */
static void taper_source(const struct water_river *river, const struct water_edge *edge) {
    struct water_station *s = river->stations + edge->first;
    const struct water_params *p = &river->params;
    double near = 8 + p->snap_m;
    bool border =
        s->x < p->x0_m + near || s->y < p->y0_m + near || s->x > p->x1_m - near || s->y > p->y1_m - near;
    if (river->network.nodes[edge->from].degree > 1 || border || s->lake >= 0)
        return;
    double over = math_min(24, 8 * (s->left + s->right)), first = s->s_m;
    for (size_t i = 0; i < edge->count; i++) {
        double t = fabs(s[i].s_m - first) / over;
        if (t >= 1)
            break;
        s[i].left *= 0.25 + 0.75 * t;
        s[i].right *= 0.25 + 0.75 * t;
        s[i].depth *= 0.25 + 0.75 * t;
    }
}

/* The highest ground in the strip behind the water's edge. */
static double bank_height(const struct water_river *river, const struct water_station *s, double side,
                          double half) {
    double width = s->left + s->right, step = math_max(0.75, 0.5 * river->params.cell_m);
    double end = half + 1.5 + 0.15 * width, highest = -(double)INFINITY;
    for (double t = half; t < end + step; t += step) {
        double d = side * math_min(t, end);
        double z = water_height_at(river->heights, s->x - d * s->ty, s->y + d * s->tx);
        highest = z > highest ? z : highest;
    }
    return highest;
}

static double lowest_ground(const struct water_river *river, const struct water_station *s) {
    double step = math_max(0.75, 0.5 * river->params.cell_m), lowest = (double)INFINITY;
    for (double t = -s->right; t < s->left + step; t += step) {
        double d = math_min(t, s->left);
        double z = water_height_at(river->heights, s->x - d * s->ty, s->y + d * s->tx);
        lowest = z < lowest ? z : lowest;
    }
    return lowest;
}

static void measure(const struct water_river *river, struct water_station *s) {
    double width = s->left + s->right;
    s->lowest = lowest_ground(river, s);
    s->raw_cap = math_min(bank_height(river, s, 1, s->left), bank_height(river, s, -1, s->right)) -
                 (s->bank > 0 ? s->bank : 0.15 + 0.02 * width);
    if (!(s->flags & STATION_CARVE)) /* a sculpted bed: its lowest ground tells, not its banks */
        s->raw_cap = s->lowest + 0.2 + 0.35 * s->depth;
    if (!(s->raw_cap > -1e8 && s->raw_cap < 1e8)) /* no ground known */
        s->raw_cap = water_height_at(river->heights, s->drawn_x, s->drawn_y);
    if (!(s->raw_cap == s->raw_cap))
        s->raw_cap = 0;
    if (!(s->lowest > -1e8 && s->lowest < 1e8))
        s->lowest = s->raw_cap;
}

/* Water whose edge lies in a lake, and whose banks allow about the lake's level, has it. */
static void touch_lakes(const struct water_river *river, struct water_station *s) {
    double half = math_max(s->left, s->right), at[2];
    for (size_t l = 0; l < river->lake_count && s->lake < 0; l++) {
        const struct water_lake *lake = &river->lakes[l];
        if (lake->river_area || s->x < lake->x0 - half || s->x > lake->x1 + half || s->y < lake->y0 - half ||
            s->y > lake->y1 + half || fabs(s->raw_cap - lake->level) > TOUCH_LEVEL_M)
            continue;
        double away = water_lake_nearest(lake, s->x, s->y, at);
        bool left = s->tx * (at[1] - s->y) >= s->ty * (at[0] - s->x);
        if (away >= (left ? s->left : s->right))
            continue;
        s->lake = (int32_t)l;
        s->flags |= STATION_BESIDE;
    }
}

/* The highest raw cap among `count` stations from `i` of an edge upstream or downstream, on into the next
 * edges of the same line. */
static double highest(const struct water_river *river, const struct water_edge *edge, size_t i, size_t count,
                      bool down) {
    double m = river->stations[edge->first + i].raw_cap;
    for (size_t k = 0; k < count; k++) {
        if (down ? i + 1 < edge->count : i > 0) {
            i = down ? i + 1 : i - 1;
        } else {
            int32_t next = down ? edge->after : edge->before;
            if (next < 0)
                break;
            edge = &river->edges[next];
            i = down ? 0 : edge->count - 1;
        }
        m = math_max(m, river->stations[edge->first + i].raw_cap);
    }
    return m;
}

/* A tributary's mouth or a ditch is no low bank: where the bank is higher on both sides, within half a width
 * and 3 m, the lower of the two counts. */
static void close_gaps(struct water_river *river, const struct water_edge *edge) {
    double spacing = water_spacing_m(river->params.cell_m);
    for (size_t i = 0; i < edge->count; i++) {
        struct water_station *s = &river->stations[edge->first + i];
        size_t k = (size_t)math_min(256, ceil((0.5 * (s->left + s->right) + 3) / spacing));
        s->cap = math_min(highest(river, edge, i, k, true), highest(river, edge, i, k, false));
    }
}

void water_measure_banks(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        const struct water_edge *edge = &river->edges[e];
        const struct water_line *line = &river->lines[edge->line];
        struct water_station *s = river->stations + edge->first;
        for (size_t i = 0; i < edge->count; i++) {
            s[i].lake = water_lake_at(river, s[i].x, s[i].y, false);
            water_set_widths(river, line, &s[i]);
        }
        taper_source(river, edge);
        for (size_t i = 0; i < edge->count; i++)
            measure(river, &s[i]);
        for (size_t i = 0; i < edge->count; i++)
            touch_lakes(river, &s[i]);
    }
    water_banks_beyond(river);
    for (size_t e = 0; e < river->edge_count; e++)
        close_gaps(river, &river->edges[e]);
    for (size_t e = 0; e < river->edge_count; e++) {
        const struct water_edge *edge = &river->edges[e];
        struct water_station *s = river->stations + edge->first;
        for (size_t i = 0; i < edge->count; i++) { /* in the other water there are no banks */
            if (edge->mouth >= 0 && (s[i].flags & STATION_MOUTH))
                s[i].cap = math_max(s[i].cap, river->stations[edge->mouth_station].cap);
        }
    }
    for (size_t e = 0; e < river->edge_count; e++) {
        const struct water_edge *edge = &river->edges[e];
        struct water_station *s = river->stations + edge->first;
        for (size_t i = 0; i < edge->count; i++) {
            if (s[i].pin == s[i].pin)
                s[i].cap = s[i].pin;
            if (s[i].lake >= 0)
                s[i].cap = river->lakes[s[i].lake].level;
        }
    }
}
