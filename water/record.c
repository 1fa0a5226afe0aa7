/* Sets as bytes; cutting of the network into the sections' sets. */
#include "terrain/math.h"
#include "water/field.h"

#include <math.h>
#include <string.h>

struct head {
    uint32_t pieces, lakes, rings, points, lips, falls;
};

static size_t pad(uint32_t words) {
    return ((size_t)words * sizeof(uint32_t) + 7) / 8 * 8;
}

size_t water_set_size(const struct water_set *s) {
    if (!s->piece_count && !s->lake_count && !s->fall_count)
        return 0;
    return sizeof(struct head) + s->piece_count * sizeof *s->pieces + s->lake_count * sizeof *s->lakes +
           s->point_count * 2 * sizeof *s->xy + s->lip_count * sizeof *s->lips + pad(s->ring_count) +
           pad(s->fall_count);
}

static unsigned char *put(unsigned char *out, const void *from, size_t size, size_t room) {
    if (size)
        memcpy(out, from, size);
    memset(out + size, 0, room - size);
    return out + room;
}

void water_set_write(const struct water_set *s, unsigned char *out) {
    if (water_set_size(s) == 0)
        return;
    struct head head = {s->piece_count, s->lake_count, s->ring_count,
                        s->point_count, s->lip_count,  s->fall_count};
    size_t pieces = s->piece_count * sizeof *s->pieces, lakes = s->lake_count * sizeof *s->lakes;
    size_t points = s->point_count * 2 * sizeof *s->xy, lips = s->lip_count * sizeof *s->lips;
    out = put(out, &head, sizeof head, sizeof head);
    out = put(out, s->pieces, pieces, pieces);
    out = put(out, s->lakes, lakes, lakes);
    out = put(out, s->xy, points, points);
    out = put(out, s->lips, lips, lips);
    out = put(out, s->ring_end, s->ring_count * sizeof *s->ring_end, pad(s->ring_count));
    put(out, s->fall_end, s->fall_count * sizeof *s->fall_end, pad(s->fall_count));
}

bool water_set_view(const unsigned char *bytes, size_t size, struct water_set *s) {
    struct head head;
    *s = (struct water_set){0};
    if (size == 0)
        return true;
    if (size < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    s->piece_count = head.pieces;
    s->lake_count = head.lakes;
    s->ring_count = head.rings;
    s->point_count = head.points;
    s->lip_count = head.lips;
    s->fall_count = head.falls;
    if (water_set_size(s) != size)
        return false;
    const void *at = bytes + sizeof head;
    s->pieces = at;
    s->lakes = at = s->pieces + s->piece_count;
    s->xy = at = s->lakes + s->lake_count;
    s->lips = at = s->xy + 2 * (size_t)s->point_count;
    s->ring_end = at = s->lips + s->lip_count;
    s->fall_end = (const void *)((const unsigned char *)at + pad(s->ring_count));
    return true;
}

/* ---- cutting ---- */

struct cut {
    const struct water_river *river;
    int32_t x0, y0, columns, rows;
    double section_m, margin_m;
    struct water_set *sets;
    bool filling;
    /* write ends, the same arrays that the sets view */
    struct water_piece **pieces;
    struct water_pool **lakes;
    uint32_t **rings, **falls;
    double **xy;
    struct water_lip **lips;
};

struct range {
    int32_t x0, y0, x1, y1; /* inclusive */
};

static int32_t limit(double v, int32_t n) {
    return v < 0 ? 0 : v > n ? n : (int32_t)v;
}

static struct range touched(const struct cut *c, double x0, double y0, double x1, double y1) {
    double m = c->margin_m, s = c->section_m;
    struct range r = {limit(floor((x0 - m) / s) - c->x0 + 1, c->columns + 1) - 1,
                      limit(floor((y0 - m) / s) - c->y0 + 1, c->rows + 1) - 1,
                      limit(floor((x1 + m) / s) - c->x0 + 1, c->columns + 1) - 1,
                      limit(floor((y1 + m) / s) - c->y0 + 1, c->rows + 1) - 1};
    r.x0 = r.x0 < 0 ? 0 : r.x0;
    r.y0 = r.y0 < 0 ? 0 : r.y0;
    r.x1 = r.x1 >= c->columns ? c->columns - 1 : r.x1;
    r.y1 = r.y1 >= c->rows ? c->rows - 1 : r.y1;
    return r;
}

/* What pieces have of their edge. */
struct course {
    const struct water_line *line;
    uint32_t body, reach;
    bool falls;
};

static struct water_piece piece_of(const struct course *course, const struct water_station *a,
                                   const struct water_station *b) {
    bool fall = (a->flags & STATION_FALL) && (b->flags & STATION_FALL);
    struct water_piece p = {.x0 = a->x,
                            .y0 = a->y,
                            .x1 = b->x,
                            .y1 = b->y,
                            .level0 = a->level,
                            .level1 = b->level,
                            .along0 = a->s_m,
                            .along1 = b->s_m,
                            .left0 = (float)a->left,
                            .left1 = (float)b->left,
                            .right0 = (float)a->right,
                            .right1 = (float)b->right,
                            .depth0 = (float)a->depth,
                            .depth1 = (float)b->depth,
                            .bend0 = (float)a->bend,
                            .bend1 = (float)b->bend,
                            .speed0 = (float)a->speed,
                            .speed1 = (float)b->speed,
                            .line = course->body,
                            .reach = course->reach,
                            .kind = (uint32_t)course->line->kind};
    if (course->falls)
        p.flags |= PIECE_OF_FALLS;
    if (fall) {
        p.kind = WATER_FALL;
        p.flags |= PIECE_FALL;
    }
    if ((a->flags & b->flags & STATION_RAPIDS) && !fall)
        p.kind = WATER_RAPIDS;
    if (a->flags & STATION_CARVE)
        p.flags |= PIECE_CARVE;
    if ((a->flags | b->flags) & STATION_POOL)
        p.flags |= PIECE_POOL;
    return p;
}

static bool near_line(double a, double b, double t, double v, double by) {
    return fabs(a + t * (b - a) - v) <= by;
}

/* Whether the stations between i and j lie on the straight piece from one to the other: within 8 cm, and 2 cm
 * of level. */
static bool straight(const struct water_station *s, size_t i, size_t j) {
    const struct water_station *a = &s[i], *b = &s[j];
    double all = b->s_m - a->s_m;
    for (size_t k = i + 1; k < j; k++) {
        double t = all != 0 ? (s[k].s_m - a->s_m) / all : 0;
        if (s[k].flags != a->flags || s[k].lake != a->lake || !near_line(a->x, b->x, t, s[k].x, 0.08) ||
            !near_line(a->y, b->y, t, s[k].y, 0.08) || !near_line(a->level, b->level, t, s[k].level, 0.02) ||
            !near_line(a->left, b->left, t, s[k].left, 0.08) ||
            !near_line(a->right, b->right, t, s[k].right, 0.08) ||
            !near_line(a->bend, b->bend, t, s[k].bend, 0.08) ||
            !near_line(a->depth, b->depth, t, s[k].depth, 0.03))
            return false;
    }
    return b->flags == a->flags && b->lake == a->lake;
}

static void cut_piece(struct cut *c, const struct course *course, const struct water_station *a,
                      const struct water_station *b) {
    double half = math_max(math_max(a->left, a->right), math_max(b->left, b->right));
    struct range r = touched(c, math_min(a->x, b->x) - half, math_min(a->y, b->y) - half,
                             math_max(a->x, b->x) + half, math_max(a->y, b->y) + half);
    for (int32_t y = r.y0; y <= r.y1; y++)
        for (int32_t x = r.x0; x <= r.x1; x++) {
            int32_t at = y * c->columns + x;
            if (c->filling)
                *c->pieces[at]++ = piece_of(course, a, b);
            else
                c->sets[at].piece_count++;
        }
}

/* Pieces of several stations where they are straight: all that costs is by the piece. */
static void cut_edge(struct cut *c, const struct water_edge *edge) {
    enum { MOST = 8 };
    struct course course = {&c->river->lines[edge->line], edge->body, edge->reach, edge->falls};
    const struct water_station *s = c->river->stations + edge->first;
    for (size_t i = 0, j; i + 1 < edge->count; i = j) {
        j = i + 1;
        while (j + 1 < edge->count && j + 1 - i <= MOST && straight(s, i, j + 1))
            j++;
        for (size_t k = i + 1; k <= j; k++)
            course.reach = water_reach_at(&s[k], course.reach);
        if (((s[i].flags | s[j].flags) & STATION_BURIED) ||
            (s[i].lake >= 0 && s[j].lake == s[i].lake && !((s[i].flags | s[j].flags) & STATION_BESIDE)) ||
            (s[i].x == s[j].x && s[i].y == s[j].y))
            continue;
        cut_piece(c, &course, &s[i], &s[j]);
    }
}

/* A fall: stations [from, end) of an edge, of which lip .. foot fall. */
struct fall {
    const struct water_station *s;
    size_t from, end, lip, foot;
};

static struct water_lip lip_of(const struct fall *f, size_t k, uint32_t spare) {
    const struct water_station *s = &f->s[k], *lip = &f->s[f->lip], *foot = &f->s[f->foot];
    double all = ((double)k - (double)f->lip) / ((double)f->foot - (double)f->lip);
    all = all < 0 ? 0 : all > 1 ? 1 : all;
    double tx = lip->tx + all * (foot->tx - lip->tx), ty = lip->ty + all * (foot->ty - lip->ty);
    double length = sqrt(tx * tx + ty * ty), dx = s->x - lip->x, dy = s->y - lip->y;
    bool turned = length > 0.1;
    return (struct water_lip){.x = s->x,
                              .y = s->y,
                              .nx = turned ? -ty / length : -lip->ty,
                              .ny = turned ? tx / length : lip->tx,
                              .level = s->level,
                              .along = s->s_m,
                              .top = lip->level,
                              .bottom = foot->level,
                              .away = k < f->lip ? 0 : sqrt(dx * dx + dy * dy),
                              .left = (float)math_min(s->left, 1.3 * lip->left),
                              .right = (float)math_min(s->right, 1.3 * lip->right),
                              .part = k < f->lip    ? LIP_ABOVE
                                      : k > f->foot ? LIP_BELOW
                                                    : LIP_FALL,
                              .spare = spare};
}

/* Stations [from, end) of it, as one, with the spare ones. */
static void cut_part(struct cut *c, const struct fall *f, size_t from, size_t end) {
    size_t own = from, own_end = end;
    from -= from > f->from;
    end += end < f->end;
    double x0 = f->s[from].x, y0 = f->s[from].y, x1 = x0, y1 = y0, half = 0;
    for (size_t k = from; k < end; k++) {
        half = math_max(half, math_max(f->s[k].left, f->s[k].right));
        x0 = math_min(x0, f->s[k].x), x1 = math_max(x1, f->s[k].x);
        y0 = math_min(y0, f->s[k].y), y1 = math_max(y1, f->s[k].y);
    }
    struct range r = touched(c, x0 - half, y0 - half, x1 + half, y1 + half);
    for (int32_t y = r.y0; y <= r.y1; y++)
        for (int32_t x = r.x0; x <= r.x1; x++) {
            int32_t at = y * c->columns + x;
            if (!c->filling) {
                c->sets[at].lip_count += (uint32_t)(end - from);
                c->sets[at].fall_count++;
                continue;
            }
            for (size_t k = from; k < end; k++)
                *c->lips[at]++ = lip_of(f, k, k < own || k >= own_end);
            *c->falls[at]++ = (uint32_t)(c->lips[at] - c->sets[at].lips);
        }
}

static void cut_fall(struct cut *c, const struct fall *f) {
    double most = FALL_CELLS * c->river->params.cell_m;
    for (size_t from = f->from; from + 1 < f->end;) {
        size_t end = from + 2;
        while (end < f->end && fabs(f->s[end].s_m - f->s[from].s_m) <= most)
            end++;
        cut_part(c, f, from, end);
        from = end - 1;
    }
}

static void cut_falls(struct cut *c, const struct water_edge *edge) {
    const struct water_station *s = c->river->stations + edge->first;
    for (size_t i = 0; i < edge->count; i++) {
        if (!(s[i].flags & STATION_FALL))
            continue;
        size_t lip = i;
        while (i + 1 < edge->count && (s[i + 1].flags & STATION_FALL))
            i++;
        struct fall f = {s, lip > 2 ? lip - 2 : 0, i + 1 < edge->count ? i + 2 : i + 1, lip, i};
        if (i > lip)
            cut_fall(c, &f);
    }
}

static void cut_lake(struct cut *c, const struct water_lake *lake) {
    size_t points = lake->ring_end[lake->ring_count - 1];
    struct range r = touched(c, lake->x0, lake->y0, lake->x1, lake->y1);
    if (lake->river_area)
        return;
    for (int32_t y = r.y0; y <= r.y1; y++)
        for (int32_t x = r.x0; x <= r.x1; x++) {
            int32_t at = y * c->columns + x;
            struct water_set *set = &c->sets[at];
            if (!c->filling) {
                set->lake_count++;
                set->ring_count += (uint32_t)lake->ring_count;
                set->point_count += (uint32_t)points;
                continue;
            }
            uint32_t base = (uint32_t)((c->xy[at] - set->xy) / 2),
                     ring = (uint32_t)(c->rings[at] - set->ring_end);
            *c->lakes[at]++ = (struct water_pool){lake->level, lake->depth,
                                                  ring,        (uint32_t)lake->ring_count,
                                                  lake->key,   lake->carve ? PIECE_CARVE : 0};
            for (size_t k = 0; k < lake->ring_count; k++)
                *c->rings[at]++ = base + (uint32_t)lake->ring_end[k];
            memcpy(c->xy[at], lake->xy, points * 2 * sizeof(double));
            c->xy[at] += 2 * points;
        }
}

static void walk(struct cut *c) {
    for (size_t e = 0; e < c->river->edge_count; e++) {
        cut_edge(c, &c->river->edges[e]);
        cut_falls(c, &c->river->edges[e]);
    }
    for (size_t l = 0; l < c->river->lake_count; l++)
        cut_lake(c, &c->river->lakes[l]);
}

static bool take_room(struct cut *c, struct arena *arena) {
    size_t n = (size_t)c->columns * (size_t)c->rows;
    c->pieces = arena_alloc(arena, n, sizeof *c->pieces);
    c->lakes = arena_alloc(arena, n, sizeof *c->lakes);
    c->rings = arena_alloc(arena, n, sizeof *c->rings);
    c->falls = arena_alloc(arena, n, sizeof *c->falls);
    c->xy = arena_alloc(arena, n, sizeof *c->xy);
    c->lips = arena_alloc(arena, n, sizeof *c->lips);
    if (!c->pieces || !c->lakes || !c->rings || !c->falls || !c->xy || !c->lips)
        return false;
    for (size_t i = 0; i < n; i++) {
        struct water_set *s = &c->sets[i];
        if (water_set_size(s) == 0)
            continue;
        s->pieces = c->pieces[i] = arena_alloc(arena, s->piece_count + 1, sizeof **c->pieces);
        s->lakes = c->lakes[i] = arena_alloc(arena, s->lake_count + 1, sizeof **c->lakes);
        s->ring_end = c->rings[i] = arena_alloc(arena, s->ring_count + 1, sizeof **c->rings);
        s->fall_end = c->falls[i] = arena_alloc(arena, s->fall_count + 1, sizeof **c->falls);
        s->xy = c->xy[i] = arena_alloc(arena, 2 * (size_t)s->point_count + 1, sizeof **c->xy);
        s->lips = c->lips[i] = arena_alloc(arena, s->lip_count + 1, sizeof **c->lips);
        if (!s->pieces || !s->lakes || !s->ring_end || !s->fall_end || !s->xy || !s->lips)
            return false;
    }
    return true;
}

enum status water_cut(const struct water_river *river, int32_t section_x0, int32_t section_y0,
                      int32_t columns, int32_t rows, struct water_set *sets, struct arena *arena,
                      struct error *err) {
    struct cut c = {.river = river,
                    .x0 = section_x0,
                    .y0 = section_y0,
                    .columns = columns,
                    .rows = rows,
                    .section_m = WATER_SECTION * river->params.cell_m,
                    .margin_m = WATER_REACH_M + WATER_MARGIN_CELLS * river->params.cell_m,
                    .sets = sets};
    for (size_t i = 0; i < (size_t)columns * (size_t)rows; i++)
        sets[i] = (struct water_set){0};
    walk(&c);
    if (!take_room(&c, arena))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    c.filling = true;
    walk(&c);
    return STATUS_OK;
}
