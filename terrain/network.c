/* Which places of lines meet. See terrain/network.h for the rules, by number. */
#include "terrain/network_own.h"
#include "terrain/segment_grid.h"
#include "terrain/sets.h"
#include "terrain/sort.h"
#include <math.h>

static const double *point_xy(const struct network_building *b, uint32_t p) {
    uint32_t line = b->owner[p];
    return b->lines[line].xy + 2 * (p - b->first[line]);
}

static bool is_end(const struct network_building *b, uint32_t p) {
    uint32_t line = b->owner[p];
    return p == b->first[line] || p + 1 == b->first[line + 1];
}

static bool point_before(const void *context, uint32_t i, uint32_t k) {
    const struct network_building *b = context;
    const double *p = point_xy(b, i), *q = point_xy(b, k);
    if (p[0] != q[0])
        return p[0] < q[0];
    return p[1] != q[1] ? p[1] < q[1] : i < k;
}

static uint32_t add_member(struct network_building *b, uint32_t line, struct network_place place, double s_m,
                           double x, double y, bool end) {
    uint32_t i = (uint32_t)b->member_count++;
    b->members[i] = (struct network_member){x, y, s_m, place, line, end};
    b->parent[i] = i;
    return i;
}

/* Rule 1: ends, and points that are not alone, become members; those at one place are joined. */
static void meet_at_points(struct network_building *b) {
    for (size_t i = 0; i < b->point_count; i++)
        b->index[i] = (uint32_t)i;
    sort_indices(b->index, b->spare, b->point_count, point_before, b);
    for (size_t i = 0, end; i < b->point_count; i = end) {
        const double *p = point_xy(b, b->index[i]);
        for (end = i + 1; end < b->point_count; end++) {
            const double *q = point_xy(b, b->index[end]);
            if (p[0] != q[0] || p[1] != q[1])
                break;
        }
        uint32_t first = (uint32_t)b->member_count;
        for (size_t k = i; k < end; k++) {
            uint32_t n = b->index[k], line = b->owner[n];
            if (end - i < 2 && !is_end(b, n))
                continue;
            struct network_place place = {(uint32_t)(n - b->first[line]), 0};
            terrain_sets_join(b->parent, first,
                              add_member(b, line, place, b->along[n], p[0], p[1], is_end(b, n)));
        }
    }
}

/* Rule 2. */
static bool meet_at_ends(struct network_building *b, struct arena *arena) {
    size_t count = 0, mark = arena_mark(arena);
    struct segment *dots = arena_alloc(arena, b->member_count, sizeof *dots);
    uint32_t *member = arena_alloc(arena, b->member_count, sizeof *member);
    struct segment_grid grid;
    if (!dots || !member)
        return false;
    for (uint32_t i = 0; i < b->member_count; i++) {
        const struct network_member *m = &b->members[i];
        if (!m->end)
            continue;
        dots[count] = (struct segment){m->x, m->y, m->x, m->y};
        member[count++] = i;
    }
    if (!terrain_segment_grid_build(dots, count, arena, &grid))
        return false;
    double snap2 = b->snap_m * b->snap_m;
    for (size_t i = 0; i < count; i++) {
        double x = dots[i].x0, y = dots[i].y0, r = b->snap_m;
        struct bucket_range range = terrain_segment_grid_range(&grid, x - r, y - r, x + r, y + r);
        for (int32_t row = range.row0; row < range.row1; row++)
            for (int32_t column = range.column0; column < range.column1; column++) {
                size_t bucket = (size_t)row * (size_t)grid.columns + (size_t)column;
                for (uint32_t n = grid.start[bucket]; n < grid.start[bucket + 1]; n++) {
                    const struct segment *d = &dots[grid.items[n]];
                    if ((d->x0 - x) * (d->x0 - x) + (d->y0 - y) * (d->y0 - y) <= snap2)
                        terrain_sets_join(b->parent, member[i], member[grid.items[n]]);
                }
            }
    }
    arena_release(arena, mark);
    return true;
}

/* Where a group of ends would cut a line. */
struct target {
    double distance2, x, y, s_m;
    struct network_place place;
    const double *segment; /* its two points */
    uint32_t line;
    bool there;
};

/* Two segments by their lesser ends, then by the other ones: below 0, 0, above 0. */
static int compare_segments(const double *a, const double *b) {
    int turn_a = a[2] < a[0] || (a[2] == a[0] && a[3] < a[1]);
    int turn_b = b[2] < b[0] || (b[2] == b[0] && b[3] < b[1]);
    for (int k = 0; k < 4; k++) {
        double p = a[turn_a ? (k + 2) % 4 : k], q = b[turn_b ? (k + 2) % 4 : k];
        if (p != q)
            return p < q ? -1 : 1;
    }
    return 0;
}

/* A line's i-th point, read from its lesser side. */
static const double *side_point(const struct network_line *line, bool turned, size_t i) {
    return line->xy + 2 * (turned ? line->count - 1 - i : i);
}
static bool lesser_side_is_last(const struct network_line *line) {
    for (size_t i = 0; i < line->count; i++)
        for (int k = 0; k < 2; k++) {
            double p = side_point(line, false, i)[k], q = side_point(line, true, i)[k];
            if (p != q)
                return q < p;
        }
    return false;
}
static int compare_lines(const struct network_line *a, const struct network_line *b) {
    bool turn_a = lesser_side_is_last(a), turn_b = lesser_side_is_last(b);
    for (size_t i = 0; i < a->count && i < b->count; i++)
        for (int k = 0; k < 2; k++) {
            double p = side_point(a, turn_a, i)[k], q = side_point(b, turn_b, i)[k];
            if (p != q)
                return p < q ? -1 : 1;
        }
    return a->count < b->count ? -1 : a->count > b->count;
}

/* By distance, place, then what is drawn there. */
static bool nearer(const struct network_building *b, const struct target *a, const struct target *than) {
    if (!than->there || a->distance2 != than->distance2)
        return !than->there || a->distance2 < than->distance2;
    if (a->x != than->x)
        return a->x < than->x;
    if (a->y != than->y)
        return a->y < than->y;
    int order = compare_segments(a->segment, than->segment);
    if (!order && a->line != than->line)
        order = compare_lines(&b->lines[a->line], &b->lines[than->line]);
    if (order)
        return order < 0;
    return a->line != than->line ? a->line < than->line : a->place.point < than->place.point;
}

/* A line's own beginning is no inside to snap to. ends[line]: its two ends' members. */
static bool own_beginning(struct network_building *b, const uint32_t (*ends)[2], uint32_t root,
                          const struct target *t) {
    double length = b->along[b->first[t->line + 1] - 1];
    bool from = terrain_sets_root(b->parent, ends[t->line][0]) == root;
    bool to = terrain_sets_root(b->parent, ends[t->line][1]) == root;
    return (from && t->s_m <= 4 * b->snap_m) || (to && length - t->s_m <= 4 * b->snap_m);
}

/* The nearest inside of a line within reach of a member; `segments` number the lines' points. */
static void look_around(struct network_building *b, const struct segment_grid *grid, const uint32_t *segments,
                        const uint32_t (*ends)[2], uint32_t member, struct target *best) {
    const struct network_member *m = &b->members[member];
    uint32_t root = terrain_sets_root(b->parent, member);
    double r = b->snap_m;
    struct bucket_range range = terrain_segment_grid_range(grid, m->x - r, m->y - r, m->x + r, m->y + r);
    for (int32_t row = range.row0; row < range.row1; row++)
        for (int32_t column = range.column0; column < range.column1; column++) {
            size_t bucket = (size_t)row * (size_t)grid->columns + (size_t)column;
            for (uint32_t n = grid->start[bucket]; n < grid->start[bucket + 1]; n++) {
                uint32_t p = segments[grid->items[n]], line = b->owner[p];
                struct target t = {.segment = point_xy(b, p), .line = line, .there = true};
                double share = terrain_segment_nearest(&grid->segments[grid->items[n]], m->x, m->y, &t.x,
                                                       &t.y, &t.distance2);
                t.place = share < 1 ? (struct network_place){(uint32_t)(p - b->first[line]), share}
                                    : (struct network_place){(uint32_t)(p + 1 - b->first[line]), 0};
                t.s_m = b->along[p] + share * (b->along[p + 1] - b->along[p]);
                if (t.distance2 <= r * r && nearer(b, &t, best) && !own_beginning(b, ends, root, &t))
                    *best = t;
            }
        }
}

static bool member_before(const void *context, uint32_t i, uint32_t k) {
    const struct network_member *a = (const struct network_member *)context + i,
                                *c = (const struct network_member *)context + k;
    if (a->line != c->line)
        return a->line < c->line;
    return a->s_m != c->s_m ? a->s_m < c->s_m : i < k;
}

/* The member of the target's line nearest along it, within snap_m; SIZE_MAX: none. `sorted`: `known` members
 * by line and place. */
static size_t near_member(const struct network_building *b, const uint32_t *sorted, size_t known,
                          const struct target *t) {
    size_t lo = 0, hi = known;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct network_member *m = &b->members[sorted[mid]];
        if (m->line < t->line || (m->line == t->line && m->s_m < t->s_m))
            lo = mid + 1;
        else
            hi = mid;
    }
    size_t best = SIZE_MAX;
    double best_far = 0;
    for (size_t at = lo > 0 ? lo - 1 : 0; at < known && at <= lo; at++) {
        const struct network_member *m = &b->members[sorted[at]];
        double far = m->s_m < t->s_m ? t->s_m - m->s_m : m->s_m - t->s_m;
        if (m->line != t->line || far > b->snap_m)
            continue;
        const struct network_member *than = best == SIZE_MAX ? m : &b->members[best];
        if (best == SIZE_MAX || far < best_far ||
            (far == best_far && (m->x < than->x || (m->x == than->x && m->y < than->y)))) {
            best = sorted[at];
            best_far = far;
        }
    }
    return best;
}

/* Applies the targets of all groups: meets what is there, or cuts; cuts of a line within snap_m are one. */
static void cut_lines(struct network_building *b, const struct target *targets) {
    size_t known = b->member_count;
    for (size_t i = 0; i < known; i++)
        b->index[i] = (uint32_t)i;
    sort_indices(b->index, b->spare, known, member_before, b->members);
    for (uint32_t i = 0; i < known; i++) {
        const struct target *t = &targets[i];
        if (!t->there)
            continue;
        size_t with = near_member(b, b->index, known, t);
        if (with == SIZE_MAX)
            with = add_member(b, t->line, t->place, t->s_m, t->x, t->y, false);
        terrain_sets_join(b->parent, i, (uint32_t)with);
    }
    size_t cuts = b->member_count - known;
    for (size_t i = 0; i < cuts; i++)
        b->index[i] = (uint32_t)(known + i);
    sort_indices(b->index, b->spare, cuts, member_before, b->members);
    for (size_t i = 0; i + 1 < cuts; i++) {
        const struct network_member *m = &b->members[b->index[i]], *n = &b->members[b->index[i + 1]];
        if (m->line == n->line && n->s_m - m->s_m <= b->snap_m)
            terrain_sets_join(b->parent, b->index[i], b->index[i + 1]);
    }
}

/* Rule 3: every group of ends alone looks for an inside; only then are lines cut. */
static bool meet_inside(struct network_building *b, struct arena *arena) {
    size_t mark = arena_mark(arena), count = 0, known = b->member_count;
    struct segment *segments = arena_alloc(arena, b->point_count, sizeof *segments);
    uint32_t *numbers = arena_alloc(arena, b->point_count, sizeof *numbers);
    uint32_t(*ends)[2] = arena_alloc(arena, b->line_count, sizeof *ends);
    struct target *targets = arena_alloc(arena, known, sizeof *targets);
    bool *inner = arena_alloc(arena, known, sizeof *inner);
    struct segment_grid grid;
    if (!segments || !numbers || !ends || !targets || !inner)
        return false;
    for (uint32_t p = 0; p + 1 < b->point_count; p++) {
        if (b->owner[p] != b->owner[p + 1])
            continue;
        const double *a = point_xy(b, p);
        segments[count] = (struct segment){a[0], a[1], a[2], a[3]};
        numbers[count++] = p;
    }
    if (!terrain_segment_grid_build(segments, count, arena, &grid))
        return false;
    for (uint32_t i = 0; i < known; i++) {
        targets[i].there = false;
        inner[i] = false;
    }
    for (uint32_t i = 0; i < known; i++) {
        const struct network_member *m = &b->members[i];
        if (m->end)
            ends[m->line][m->place.point > 0] = i;
        else
            inner[terrain_sets_root(b->parent, i)] = true;
    }
    for (uint32_t i = 0; i < known; i++) {
        uint32_t root = terrain_sets_root(b->parent, i);
        if (!inner[root])
            look_around(b, &grid, numbers, (const uint32_t(*)[2])ends, i, &targets[root]);
    }
    cut_lines(b, targets);
    arena_release(arena, mark);
    return true;
}

static void measure(struct network_building *b) {
    size_t p = 0;
    for (uint32_t line = 0; line < b->line_count; line++) {
        const double *xy = b->lines[line].xy;
        double along = 0;
        b->first[line] = p;
        for (size_t i = 0; i < b->lines[line].count; i++, p++) {
            double dx = i > 0 ? xy[2 * i] - xy[2 * i - 2] : 0, dy = i > 0 ? xy[2 * i + 1] - xy[2 * i - 1] : 0;
            along += sqrt(dx * dx + dy * dy);
            b->owner[p] = line;
            b->along[p] = along;
        }
    }
    b->first[b->line_count] = p;
}

/* Members: every point at most, and one cut for each group of ends. */
static size_t members_max(size_t lines, size_t points) {
    return points + 2 * lines;
}

size_t terrain_network_scratch(size_t lines, size_t points) {
    size_t members = members_max(lines, points);
    size_t kept = arena_need(members, sizeof(struct network_node)) +
                  arena_need(members, sizeof(struct network_edge)) +
                  arena_need(members, sizeof(struct network_component));
    size_t building = arena_need(lines + 1, sizeof(size_t)) + arena_need(points, sizeof(double)) +
                      arena_need(points, 4) + arena_need(members, sizeof(struct network_member)) +
                      3 * arena_need(members, 4);
    size_t meeting = terrain_segment_grid_scratch(members) + arena_need(members, sizeof(struct segment)) +
                     arena_need(members, 4) + arena_need(lines, 8) +
                     arena_need(members, sizeof(struct target)) + arena_need(members, 1);
    return kept + building + meeting;
}

enum status terrain_network_build(const struct network_line *lines, size_t line_count, double snap_m,
                                  struct arena *arena, struct network *out, struct error *err) {
    struct network_building b = {.lines = lines, .line_count = line_count, .snap_m = snap_m};
    *out = (struct network){0};
    for (size_t i = 0; i < line_count; i++)
        b.point_count += lines[i].count;
    if (b.point_count > 1 << 24)
        return error_set(err, STATUS_LIMIT, "a network of %zu points; at most %d are worked", b.point_count,
                         1 << 24);
    size_t room = members_max(line_count, b.point_count);
    out->nodes = arena_alloc(arena, room, sizeof *out->nodes);
    out->edges = arena_alloc(arena, room, sizeof *out->edges);
    out->components = arena_alloc(arena, room, sizeof *out->components);
    size_t mark = arena_mark(arena);
    b.first = arena_alloc(arena, line_count + 1, sizeof *b.first);
    b.along = arena_alloc(arena, b.point_count, sizeof *b.along);
    b.owner = arena_alloc(arena, b.point_count, sizeof *b.owner);
    b.members = arena_alloc(arena, room, sizeof *b.members);
    b.parent = arena_alloc(arena, room, sizeof *b.parent);
    b.index = arena_alloc(arena, room, sizeof *b.index);
    b.spare = arena_alloc(arena, room, sizeof *b.spare);
    enum status status = STATUS_LIMIT;
    if (!out->nodes || !out->edges || !out->components || !b.first || !b.along || !b.owner || !b.members ||
        !b.parent || !b.index || !b.spare)
        goto done;
    measure(&b);
    meet_at_points(&b);
    if (meet_at_ends(&b, arena) && meet_inside(&b, arena))
        status = network_assemble(&b, arena, out, err);
done:
    arena_release(arena, mark);
    return status == STATUS_LIMIT
               ? error_set(err, status, "too little scratch for a network of %zu lines", line_count)
               : status;
}
