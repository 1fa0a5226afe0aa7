/* Points of lines become stations of edges: lines are cut and joined, ends led to where they meet, mouths
 * turned downstream, loose ends led into lakes. */
#include "terrain/math.h"
#include "water/river.h"

#include "terrain/hash.h"
#include <math.h>

enum { EXTRA = 16 }; /* stations at each end for the way into a lake */
static const double LAKE_NEAR_M = 8, LAKE_INTO_M = 4;

static double lerp(double a, double b, double t) {
    return a + t * (b - a);
}

static struct water_station between(const struct water_station *a, const struct water_station *b, double t) {
    struct water_station s = t < 0.5 ? *a : *b;
    s.x = lerp(a->x, b->x, t);
    s.y = lerp(a->y, b->y, t);
    s.drawn_x = lerp(a->drawn_x, b->drawn_x, t);
    s.drawn_y = lerp(a->drawn_y, b->drawn_y, t);
    s.s_m = lerp(a->s_m, b->s_m, t);
    s.left = lerp(a->left, b->left, t);
    s.right = lerp(a->right, b->right, t);
    s.depth = lerp(a->depth, b->depth, t);
    s.speed = lerp(a->speed, b->speed, t);
    s.bank = lerp(a->bank, b->bank, t);
    s.pin = lerp(a->pin, b->pin, t);
    return s;
}

static struct water_station at_place(const struct water_river *river, uint32_t line,
                                     struct network_place place) {
    const struct water_station *p = river->points + river->point_first[line] + place.point;
    return place.share > 0 ? between(p, p + 1, place.share) : *p;
}

static enum status build_network(struct water_river *river, struct arena *arena, struct error *err) {
    struct network_line *lines = arena_alloc(arena, river->line_count, sizeof *lines);
    double *xy = arena_alloc(arena, 2 * river->point_first[river->line_count] + 2, sizeof *xy);
    if (!lines || !xy)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t l = 0; l < river->line_count; l++) {
        size_t first = river->point_first[l], end = river->point_first[l + 1];
        for (size_t i = first; i < end; i++) {
            xy[2 * i] = river->points[i].drawn_x;
            xy[2 * i + 1] = river->points[i].drawn_y;
        }
        lines[l] = (struct network_line){xy + 2 * first, end - first};
    }
    return terrain_network_build(lines, river->line_count, river->params.snap_m, arena, &river->network, err);
}

/* The stations of an edge, between EXTRA free ones. */
static void fill_edge(struct water_river *river, size_t e, size_t *next) {
    const struct network_edge *in = &river->network.edges[e];
    struct water_edge *edge = &river->edges[e];
    struct water_station *s = river->stations + *next + EXTRA;
    size_t n = 0;
    s[n++] = at_place(river, in->line, in->from);
    const struct water_station *p = river->points + river->point_first[in->line];
    for (uint32_t i = in->from.point + 1; i < in->to.point || (i == in->to.point && in->to.share > 0); i++)
        s[n++] = p[i];
    s[n++] = at_place(river, in->line, in->to);
    *edge = (struct water_edge){.first = *next + EXTRA,
                                .count = n,
                                .line = in->line,
                                .from = in->from_node,
                                .to = in->to_node,
                                .through = -1,
                                .before = -1,
                                .after = -1,
                                .mouth = -1};
    *next += n + 2 * EXTRA;
}

/* Nodes' edges: out edges of node n are items[start[n]] .. items[start[n + 1] - 1], ascending. */
struct edge_lists {
    uint32_t *start, *items;
};

static bool list_edges(const struct water_river *river, bool out, struct edge_lists *lists,
                       struct arena *arena) {
    size_t nodes = river->network.node_count;
    lists->start = arena_alloc(arena, nodes + 2, sizeof *lists->start);
    lists->items = arena_alloc(arena, river->edge_count, sizeof *lists->items);
    if (!lists->start || (river->edge_count && !lists->items))
        return false;
    for (size_t n = 0; n < nodes + 2; n++)
        lists->start[n] = 0;
    for (size_t e = 0; e < river->edge_count; e++)
        lists->start[(out ? river->edges[e].from : river->edges[e].to) + 2]++;
    for (size_t n = 2; n < nodes + 2; n++)
        lists->start[n] += lists->start[n - 1];
    for (size_t e = 0; e < river->edge_count; e++)
        lists->items[lists->start[(out ? river->edges[e].from : river->edges[e].to) + 1]++] = (uint32_t)e;
    return true;
}

/* Whether the edge begins inside its line, which so runs through the node. */
static bool begins_inside(const struct water_river *river, uint32_t e) {
    const struct network_place *p = &river->network.edges[e].from;
    return p->point > 0 || p->share > 0;
}

static double width_of(const struct water_station *s) {
    return s->left + s->right;
}

static void find_ways(struct water_river *river, const struct edge_lists *out) {
    for (size_t e = 0; e < river->edge_count; e++) {
        struct water_edge *edge = &river->edges[e];
        const struct network_edge *net = &river->network.edges[e];
        double widest = 0;
        bool same = false;
        int32_t side = -1;
        for (uint32_t i = out->start[edge->to]; i < out->start[edge->to + 1]; i++) {
            uint32_t o = out->items[i];
            const struct network_edge *next = &river->network.edges[o];
            double width = width_of(&river->stations[river->edges[o].first]);
            bool on = next->line == net->line && next->from.point == net->to.point &&
                      next->from.share == net->to.share;
            if (on) {
                edge->after = (int32_t)o;
                river->edges[o].before = (int32_t)e;
            }
            if (on || (!same && width > widest)) {
                edge->through = (int32_t)o;
                widest = width;
                same |= on;
            }
            if (begins_inside(river, o) && side < 0)
                side = (int32_t)o;
        }
        edge->mouth = same ? -1 : side;
    }
}

/* Moves one end of an edge by (vx, vy), fading along it. */
static void lead(struct water_station *s, size_t count, bool end, double vx, double vy, double fade_m) {
    double length = fabs(s[count - 1].s_m - s[0].s_m);
    fade_m = math_max(math_min(fade_m, length), 1e-6);
    for (size_t i = 0; i < count; i++) {
        size_t k = end ? count - 1 - i : i;
        double t = fabs(s[k].s_m - s[end ? count - 1 : 0].s_m) / fade_m;
        if (t >= 1 && i > 0)
            break;
        double f = i == 0 ? 1 : 1 - t * t * (3 - 2 * t);
        s[k].x += f * vx;
        s[k].y += f * vy;
    }
}

static void lead_to(struct water_station *s, size_t count, bool end, double x, double y, double least_m) {
    const struct water_station *p = &s[end ? count - 1 : 0];
    double vx = x - p->x, vy = y - p->y, l = sqrt(vx * vx + vy * vy);
    if (l > 0)
        lead(s, count, end, vx, vy, math_max(least_m, 4 * l));
}

static void join_nodes(struct water_river *river, const struct edge_lists *out, const struct edge_lists *in) {
    for (uint32_t n = 0; n < river->network.node_count; n++) {
        const struct water_station *at = NULL;
        for (uint32_t i = out->start[n]; i < out->start[n + 1]; i++) {
            const struct water_station *s = &river->stations[river->edges[out->items[i]].first];
            if (begins_inside(river, out->items[i])) {
                at = s;
                break;
            }
            at = at ? at : s;
        }
        if (!at && in->start[n] < in->start[n + 1]) {
            const struct water_edge *e = &river->edges[in->items[in->start[n]]];
            at = &river->stations[e->first + e->count - 1];
        }
        if (!at)
            continue;
        double x = at->x, y = at->y;
        for (uint32_t i = out->start[n]; i < out->start[n + 1]; i++) {
            struct water_edge *e = &river->edges[out->items[i]];
            lead_to(river->stations + e->first, e->count, false, x, y, 6);
        }
        for (uint32_t i = in->start[n]; i < in->start[n + 1]; i++) {
            struct water_edge *e = &river->edges[in->items[i]];
            lead_to(river->stations + e->first, e->count, true, x, y, 6);
        }
    }
}

/* Water from the side flows in downstream of the node: 0.9 widths, or what its own width allows. */
static void turn_mouths(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        struct water_edge *edge = &river->edges[e];
        if (edge->mouth < 0)
            continue;
        const struct water_edge *main = &river->edges[edge->mouth];
        const struct water_station *m = river->stations + main->first;
        double own = width_of(&river->stations[edge->first + edge->count - 1]);
        double shift = math_min(0.9 * width_of(m), 0.45 * width_of(m) + 2 * own);
        size_t i = 0;
        while (i + 1 < main->count && fabs(m[i].s_m - m[0].s_m) < shift)
            i++;
        edge->mouth_station = main->first + i;
        lead_to(river->stations + edge->first, edge->count, true, m[i].x, m[i].y, 3 * width_of(m));
        for (size_t k = 0; k < edge->count; k++)
            if (fabs(river->stations[edge->first + edge->count - 1].s_m -
                     river->stations[edge->first + k].s_m) < shift)
                river->stations[edge->first + k].flags |= STATION_MOUTH;
    }
}

/* A loose end near a lake runs on into it. */
static void reach_lake(struct water_river *river, struct water_edge *edge, bool end) {
    struct water_station *s = river->stations + edge->first, tip = s[end ? edge->count - 1 : 0];
    double best = LAKE_NEAR_M, at[2] = {0, 0};
    if (water_lake_at(river, tip.x, tip.y, false) >= 0)
        return;
    for (size_t l = 0; l < river->lake_count; l++) {
        const struct water_lake *lake = &river->lakes[l];
        if (lake->river_area || tip.x < lake->x0 - best || tip.y < lake->y0 - best ||
            tip.x > lake->x1 + best || tip.y > lake->y1 + best)
            continue;
        double p[2], d = water_lake_nearest(lake, tip.x, tip.y, p);
        if (d < best) {
            best = d;
            at[0] = p[0];
            at[1] = p[1];
        }
    }
    if (best >= LAKE_NEAR_M)
        return;
    double spacing = water_spacing_m(river->params.cell_m), length = best + LAKE_INTO_M;
    double dx = best > 1e-6 ? (at[0] - tip.x) / best : (end ? tip.tx : -tip.tx);
    double dy = best > 1e-6 ? (at[1] - tip.y) / best : (end ? tip.ty : -tip.ty);
    int32_t steps = (int32_t)math_min(EXTRA, ceil(length / spacing));
    double along = tip.s_m;
    for (int32_t i = 1; i <= steps; i++) {
        struct water_station next = tip;
        double d = length * i / steps;
        next.x += d * dx;
        next.y += d * dy;
        next.s_m = along + (end ? d : -d);
        if (end) {
            s[edge->count++] = next;
        } else {
            river->stations[--edge->first] = next;
            edge->count++;
        }
    }
}

static void reach_lakes(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        struct water_edge *edge = &river->edges[e];
        water_tangents(river->stations + edge->first, edge->count);
        if (river->network.nodes[edge->to].degree == 1)
            reach_lake(river, edge, true);
        if (river->network.nodes[edge->from].degree == 1)
            reach_lake(river, edge, false);
        water_tangents(river->stations + edge->first, edge->count);
    }
}

/* Bends: the turning over 0.8 widths up and down, meaned over 2 widths, against the width. */
static enum status find_bends(struct water_river *river, struct water_edge *edge, struct arena *arena,
                              struct error *err) {
    struct water_station *s = river->stations + edge->first;
    size_t mark = arena_mark(arena), n = edge->count;
    double *turn = arena_alloc(arena, n, sizeof *turn);
    if (!turn)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    double spacing = water_spacing_m(river->params.cell_m);
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)math_min(math_max(1, ceil(0.8 * width_of(&s[i]) / spacing)), 64);
        const struct water_station *a = &s[i > k ? i - k : 0], *b = &s[i + k < n ? i + k : n - 1];
        double ds = fabs(b->s_m - a->s_m);
        turn[i] = ds > 0 ? (a->tx * b->ty - a->ty * b->tx) / ds : 0;
    }
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)math_min(math_max(1, ceil(2 * width_of(&s[i]) / spacing)), 64);
        size_t a = i > k ? i - k : 0, b = i + k < n ? i + k : n - 1;
        double sum = 0;
        for (size_t j = a; j <= b; j++)
            sum += turn[j];
        double bend = 3.2 * width_of(&s[i]) * sum / (double)(b - a + 1);
        s[i].bend = math_max(-0.9, math_min(0.9, bend));
    }
    arena_release(arena, mark);
    return STATUS_OK;
}

static enum status order_edges(struct water_river *river, const struct edge_lists *out, struct arena *arena,
                               struct error *err) {
    size_t nodes = river->network.node_count, count = 0, n = 0;
    uint32_t *order = arena_alloc(arena, nodes + 1, sizeof *order);
    uint8_t *seen = arena_alloc(arena, nodes + 1, 1);
    river->order = arena_alloc(arena, river->edge_count + 1, sizeof *river->order);
    if (!order || !seen || !river->order)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    enum status status = terrain_network_order(&river->network, order, &count, arena, err);
    for (size_t i = 0; i < nodes; i++)
        seen[i] = 0;
    for (size_t k = 0; status == STATUS_OK && k < count + nodes; k++) {
        uint32_t node = k < count ? order[k] : (uint32_t)(k - count);
        if (seen[node])
            continue;
        seen[node] = 1;
        for (uint32_t i = out->start[node]; i < out->start[node + 1]; i++) {
            river->order[n++] = out->items[i];
            river->edges[out->items[i]].circle = k >= count;
        }
    }
    return status;
}

enum status water_join(struct water_river *river, struct arena *arena, struct error *err) {
    struct edge_lists out, in;
    enum status status = build_network(river, arena, err);
    if (status != STATUS_OK)
        return status;
    river->edge_count = river->network.edge_count;
    river->edges = arena_alloc(arena, river->edge_count + 1, sizeof *river->edges);
    river->station_count = 0;
    for (size_t e = 0; e < river->edge_count; e++) {
        const struct network_edge *edge = &river->network.edges[e];
        river->station_count += edge->to.point - edge->from.point + 2 + 2 * EXTRA;
    }
    river->stations = arena_alloc(arena, river->station_count + 1, sizeof *river->stations);
    if (!river->edges || !river->stations)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    for (size_t e = 0, next = 0; e < river->edge_count; e++)
        fill_edge(river, e, &next);
    if (!list_edges(river, true, &out, arena) || !list_edges(river, false, &in, arena))
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    find_ways(river, &out);
    join_nodes(river, &out, &in);
    turn_mouths(river);
    reach_lakes(river);
    for (size_t e = 0; status == STATUS_OK && e < river->edge_count; e++)
        status = find_bends(river, &river->edges[e], arena, err);
    return status == STATUS_OK ? order_edges(river, &out, arena, err) : status;
}
