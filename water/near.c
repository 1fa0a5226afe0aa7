/* Ends of lines that lie in another line's water: they run on to the middle of it. */
#include "terrain/math.h"
#include "water/foot.h"
#include "water/river.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK = 32 /* points that share a box */,
    GROUP = 32 /* lines that do */,
    GRID = 64,
    MORE_MOST = 8 /* points that an end is given */
};

/* The nearer of *best and the piece of line l from point i on. */
static void look_at(const struct water_river *river, size_t l, size_t i, double x, double y,
                    struct water_nearest *best) {
    const struct water_station *p = &river->points[river->point_first[l] + i], *q = p + 1;
    struct water_foot foot = water_foot_of(p->drawn_x, p->drawn_y, q->drawn_x, q->drawn_y, x, y);
    double half =
        foot.left ? water_foot_mix(&foot, p->left, q->left) : water_foot_mix(&foot, p->right, q->right);
    double gap = foot.away - half;
    bool before = foot.x < best->x || (foot.x == best->x && foot.y < best->y);
    bool there = foot.x == best->x && foot.y == best->y && l < best->line;
    if (gap < best->gap_m || (gap == best->gap_m && (before || there)))
        *best = (struct water_nearest){(uint32_t)l, foot.x, foot.y, foot.away, gap};
}

static size_t points_of(const struct water_river *river, size_t l) {
    return river->point_first[l + 1] - river->point_first[l];
}

static bool make_boxes(struct water_river *river, struct arena *arena) {
    struct water_boxes *b = &river->boxes;
    size_t count = 0;
    b->first = arena_alloc(arena, river->line_count + 1, sizeof *b->first);
    if (!b->first)
        return false;
    for (size_t l = 0; l <= river->line_count; l++) {
        b->first[l] = count;
        count += l < river->line_count ? points_of(river, l) / CHUNK + 1 : 0;
    }
    b->box = arena_alloc(arena, count + 1, sizeof *b->box);
    b->whole = arena_alloc(arena, river->line_count + 1, sizeof *b->whole);
    if (!b->box || !b->whole)
        return false;
    for (size_t l = 0; l < river->line_count; l++) {
        const struct water_station *p = river->points + river->point_first[l];
        size_t n = points_of(river, l);
        double *whole = b->whole[l];
        whole[0] = whole[1] = (double)INFINITY;
        whole[2] = whole[3] = -(double)INFINITY;
        for (size_t k = b->first[l]; k < b->first[l + 1]; k++) {
            double *box = b->box[k], widest = 0;
            box[0] = box[1] = (double)INFINITY;
            box[2] = box[3] = -(double)INFINITY;
            size_t from = (k - b->first[l]) * CHUNK;
            for (size_t i = from; i <= from + CHUNK && i < n; i++) {
                box[0] = math_min(box[0], p[i].drawn_x);
                box[1] = math_min(box[1], p[i].drawn_y);
                box[2] = math_max(box[2], p[i].drawn_x);
                box[3] = math_max(box[3], p[i].drawn_y);
                widest = math_max(widest, math_max(p[i].left, p[i].right));
            }
            for (int c = 0; c < 4; c++) {
                box[c] += c < 2 ? -widest : widest;
                whole[c] = c < 2 ? math_min(whole[c], box[c]) : math_max(whole[c], box[c]);
            }
        }
    }
    return true;
}

/* The cell of a grid over all lines in which the middle of a line's box lies. */
static size_t cell_of(const double all[4], const double box[4]) {
    size_t at[2];
    for (int c = 0; c < 2; c++) {
        double span = all[c + 2] - all[c],
               v = GRID * (0.5 * (box[c] + box[c + 2]) - all[c]) / math_max(span, 1e-9);
        at[c] = (size_t)math_max(0, math_min(GRID - 1, v));
    }
    return at[1] * GRID + at[0];
}

/* Lines by cells of the grid, those of a cell by number; boxes around GROUP of them each. */
static bool make_groups(struct water_river *river, struct arena *arena) {
    struct water_boxes *b = &river->boxes;
    size_t n = river->line_count, *start = arena_alloc(arena, GRID * GRID + 1, sizeof *start);
    double all[4] = {(double)INFINITY, (double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    b->order = arena_alloc(arena, n + 1, sizeof *b->order);
    b->group = arena_alloc(arena, n / GROUP + 1, sizeof *b->group);
    if (!start || !b->order || !b->group)
        return false;
    for (size_t l = 0; l < n; l++)
        for (int c = 0; c < 4; c++)
            all[c] = c < 2 ? math_min(all[c], b->whole[l][c]) : math_max(all[c], b->whole[l][c]);
    memset(start, 0, (GRID * GRID + 1) * sizeof *start);
    for (size_t l = 0; l < n; l++)
        start[cell_of(all, b->whole[l]) + 1]++;
    for (size_t c = 1; c <= GRID * GRID; c++)
        start[c] += start[c - 1];
    for (size_t l = 0; l < n; l++)
        b->order[start[cell_of(all, b->whole[l])]++] = (uint32_t)l;
    for (size_t i = 0; i < n; i++) {
        double *g = b->group[i / GROUP];
        const double *box = b->whole[b->order[i]];
        for (int c = 0; c < 4; c++)
            g[c] = i % GROUP == 0 ? box[c] : c < 2 ? math_min(g[c], box[c]) : math_max(g[c], box[c]);
    }
    return true;
}

static bool is_beyond(const double box[4], double x, double y, double within) {
    double m = math_max(within, 0);
    return x < box[0] - m || y < box[1] - m || x > box[2] + m || y > box[3] + m;
}

static void look_at_line(const struct water_river *river, size_t l, double x, double y,
                         struct water_nearest *best) {
    const struct water_boxes *boxes = &river->boxes;
    for (size_t k = boxes->first[l]; k < boxes->first[l + 1]; k++) {
        if (is_beyond(boxes->box[k], x, y, best->gap_m))
            continue;
        size_t from = (k - boxes->first[l]) * CHUNK, n = points_of(river, l);
        for (size_t i = from; i < from + CHUNK && i + 1 < n; i++)
            look_at(river, l, i, x, y, best);
    }
}

/* What is nearest to a place among all lines but one, within `within` m of its water. */
static struct water_nearest find_nearest(const struct water_river *river, double x, double y, uint32_t except,
                                         double within) {
    struct water_nearest best = {UINT32_MAX, (double)INFINITY, (double)INFINITY, (double)INFINITY, within};
    const struct water_boxes *boxes = &river->boxes;
    for (size_t i = 0; i < river->line_count; i++) {
        if (i % GROUP == 0 && is_beyond(boxes->group[i / GROUP], x, y, best.gap_m)) {
            i += GROUP - 1;
            continue;
        }
        size_t l = boxes->order[i];
        if (l != except && !is_beyond(boxes->whole[l], x, y, best.gap_m))
            look_at_line(river, l, x, y, &best);
    }
    return best;
}

struct water_nearest water_nearest_to(const struct water_river *river, double x, double y, uint32_t except) {
    for (double within = 16; within < 1e6; within *= 4) {
        struct water_nearest near = find_nearest(river, x, y, except, within);
        if (near.line != UINT32_MAX)
            return near;
    }
    return find_nearest(river, x, y, except, (double)INFINITY);
}

/* Where a tip of line l goes on to, if it does. Tips within snap_m of a line join it as they are. */
static bool goes_on(const struct water_river *river, size_t l, bool end, struct water_nearest *to) {
    const struct water_params *w = &river->params;
    const struct water_station *first = river->points + river->point_first[l];
    const struct water_station *tip = end ? first + points_of(river, l) - 1 : first;
    double x = tip->drawn_x, y = tip->drawn_y;
    bool inside = x > w->x0_m && y > w->y0_m && x < w->x1_m && y < w->y1_m;
    if (!inside || river->lines[l].found || water_lake_at(river, x, y, false) >= 0)
        return false;
    *to = find_nearest(river, x, y, (uint32_t)l, w->snap_m);
    if (to->line == UINT32_MAX || to->away_m <= w->snap_m)
        return false;
    /* a tip behind another line's tip: water flows from an end to a start, and once */
    const struct water_station *o = river->points + river->point_first[to->line],
                               *last = o + points_of(river, to->line) - 1;
    bool at_start = fabs(to->x - o->drawn_x) + fabs(to->y - o->drawn_y) < 1e-6;
    bool at_end = fabs(to->x - last->drawn_x) + fabs(to->y - last->drawn_y) < 1e-6;
    if (at_start || at_end)
        return end ? at_start : at_end && to->away_m > math_max(tip->left, tip->right) + w->snap_m;
    return true;
}

/* Points from the tip to (to->x, to->y); `out` holds the first of them behind an end, the last before a
 * start. */
static void add_points(const struct water_station *tip, const struct water_nearest *to, size_t count,
                       bool end, struct water_station *out) {
    for (size_t i = 1; i <= count; i++) {
        struct water_station s = *tip;
        double t = (double)i / (double)count, dx = to->x - tip->drawn_x, dy = to->y - tip->drawn_y;
        s.x = s.drawn_x = i == count ? to->x : tip->drawn_x + t * dx;
        s.y = s.drawn_y = i == count ? to->y : tip->drawn_y + t * dy;
        s.s_m += (end ? t : -t) * to->away_m;
        s.flags |= STATION_ADDED;
        *(end ? out++ : out--) = s;
    }
}

static size_t added(const struct water_river *river, const struct water_nearest *to) {
    double spacing = water_spacing_m(river->params.cell_m);
    return to->line == UINT32_MAX ? 0 : (size_t)math_min(MORE_MOST, ceil(to->away_m / spacing));
}

enum status water_reach_waters(struct water_river *river, struct arena *arena, struct error *err) {
    struct water_nearest(*to)[2] = arena_alloc(arena, river->line_count + 1, sizeof *to);
    size_t *first = arena_alloc(arena, river->line_count + 1, sizeof *first), total = 0;
    if (!to || !first || !make_boxes(river, arena) || !make_groups(river, arena))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t l = 0; l < river->line_count; l++) {
        first[l] = total;
        total += points_of(river, l);
        for (int end = 0; end < 2; end++) {
            if (!goes_on(river, l, end, &to[l][end]))
                to[l][end].line = UINT32_MAX;
            total += added(river, &to[l][end]);
        }
    }
    first[river->line_count] = total;
    if (total == river->point_first[river->line_count])
        return STATUS_OK;
    struct water_station *points = arena_alloc(arena, total, sizeof *points);
    if (!points)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t l = 0; l < river->line_count; l++) {
        const struct water_station *from = river->points + river->point_first[l];
        size_t n = points_of(river, l), before = added(river, &to[l][0]), after = added(river, &to[l][1]);
        struct water_station *at = points + first[l] + before;
        memcpy(at, from, n * sizeof *at);
        if (before)
            add_points(from, &to[l][0], before, false, at - 1);
        if (after)
            add_points(from + n - 1, &to[l][1], after, true, at + n);
        water_tangents(points + first[l], before + n + after);
    }
    river->points = points;
    river->point_first = first;
    return make_boxes(river, arena) && make_groups(river, arena)
               ? STATUS_OK
               : error_set(err, STATUS_LIMIT, "out of scratch memory");
}
