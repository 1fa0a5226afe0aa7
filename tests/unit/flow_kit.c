#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/flow_kit.h"

#include "terrain/flow_fill.h"
#include "terrain/flow_fill_world.h"
#include "terrain/flow_finish.h"
#include "terrain/flow_local.h"
#include "terrain/flow_receivers.h"
#include "terrain/flow_world.h"
#include "terrain/hash.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct arena test_arena(size_t size) {
    struct arena arena = {malloc(size), size, 0};
    assert_non_null(arena.base);
    return arena;
}

uint64_t test_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < size; i++)
        hash = hash_mix(hash + 0x9e3779b97f4a7c15u * (at[i] + 1u));
    return hash;
}

static double lattice(uint64_t seed, int32_t x, int32_t y) {
    return (double)hash_unit(hash_place(seed, 1, x, y, 0));
}

static double value_noise(uint64_t seed, int32_t x, int32_t y, int32_t step) {
    int32_t i = flow_floor_div(x, step), j = flow_floor_div(y, step);
    double u = (double)(x - i * step) / step, v = (double)(y - j * step) / step;
    double south = lattice(seed, i, j) * (1 - u) + lattice(seed, i + 1, j) * u;
    double north = lattice(seed, i, j + 1) * (1 - u) + lattice(seed, i + 1, j + 1) * u;
    return south * (1 - v) + north * v;
}

static double octaves(uint64_t seed, int32_t x, int32_t y) {
    return 40 * value_noise(seed, x, y, 32) + 12 * value_noise(seed + 1, x, y, 9) +
           3 * value_noise(seed + 2, x, y, 3);
}

static int32_t ground_height(enum flow_ground ground, uint64_t seed, const struct flow_layout *l, int32_t x,
                             int32_t y) {
    double dx = x - 0.5 * (l->x0 + l->x1), dy = y - 0.5 * (l->y0 + l->y1), r = sqrt(dx * dx + dy * dy);
    switch (ground) {
    case GROUND_NOISE:
        return (int32_t)(hash_place(seed, 2, x, y, 0) % 4001) - 2000;
    case GROUND_SMOOTH:
        return (int32_t)(octaves(seed, x, y) * 4096);
    case GROUND_STEPS:
        return (int32_t)(octaves(seed, x, y) / 6) * 4096;
    case GROUND_PITS:
        return (int32_t)(fabs(fmod(r, 11) - 5) * 100 + 3 * r) / 40 * 40;
    case GROUND_SPIRAL: {
        double turn = atan2(dy, dx) / 6.283185307179586;
        return fmod(r / 5 + turn + 8, 1) < 0.3 ? 900 : (int32_t)(100 - r);
    }
    case GROUND_PLATEAU:
        return r < 14                                                    ? 500
               : r < 17 && !(x == l->x0 + (l->x1 - l->x0) / 2 && dy < 0) ? 700
                                                                         : (int32_t)(400 - 4 * r) / 8 * 8;
    case GROUND_TWO:
        return (int32_t)(hash_place(seed, 3, x, y, 0) % 100 < 35) * 10;
    case GROUND_FLAT:
    case GROUND_COUNT:
        break;
    }
    return 77;
}

static void take(struct flow_kit *k) {
    size_t cells = (size_t)k->width * (size_t)k->height, sections = (size_t)k->sections;
    k->z = malloc(cells * sizeof *k->z);
    k->filled = malloc(cells * sizeof *k->filled);
    k->receivers = malloc(cells);
    k->area = malloc(cells * sizeof *k->area);
    k->fill_local = calloc(sections, sizeof *k->fill_local);
    k->basins = calloc(sections, sizeof *k->basins);
    k->fill_world = calloc(sections, sizeof *k->fill_world);
    k->flow_local = calloc(sections, sizeof *k->flow_local);
    k->flow_world = calloc(sections, sizeof *k->flow_world);
}

static void shape(struct flow_kit *k, struct flow_layout l, uint64_t seed) {
    *k = (struct flow_kit){.layout = l, .width = l.x1 - l.x0, .height = l.y1 - l.y0, .seed = seed};
    k->sections = flow_columns(&l) * flow_rows(&l);
    take(k);
}

void flow_kit_make(struct flow_kit *k, struct flow_layout l, enum flow_ground ground, uint64_t seed) {
    shape(k, l, seed);
    for (int32_t y = 0; y < k->height; y++)
        for (int32_t x = 0; x < k->width; x++)
            k->z[y * k->width + x] = ground_height(ground, seed, &l, l.x0 + x, l.y0 + y);
}

void flow_kit_copy(struct flow_kit *k, const struct flow_kit *from, int32_t side) {
    struct flow_layout l = from->layout;
    l.side = side;
    shape(k, l, from->seed);
    memcpy(k->z, from->z, (size_t)k->width * (size_t)k->height * sizeof *k->z);
}

static void free_records(struct flow_record *records, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        void *bytes;
        memcpy(&bytes, &records[i].bytes, sizeof bytes);
        free(bytes);
    }
    free(records);
}

void flow_kit_free(struct flow_kit *k) {
    free(k->z);
    free(k->filled);
    free(k->receivers);
    free(k->area);
    free_records(k->fill_local, k->sections);
    free_records(k->basins, k->sections);
    free_records(k->fill_world, k->sections);
    free_records(k->flow_local, k->sections);
    free_records(k->flow_world, k->sections);
}

static void keep(struct flow_record *to, struct flow_record from) {
    void *bytes = malloc(from.size ? from.size : 1);
    memcpy(bytes, from.bytes, from.size);
    *to = (struct flow_record){bytes, from.size};
}

static struct grid_i32 part_i32(const struct flow_kit *k, int32_t *cells, struct flow_section at) {
    ptrdiff_t first = (ptrdiff_t)(at.y0 - k->layout.y0) * k->width + at.x0 - k->layout.x0;
    return (struct grid_i32){cells + first, at.x0, at.y0, at.width, at.height, k->width};
}

static struct grid_u8 part_u8(const struct flow_kit *k, struct flow_section at) {
    ptrdiff_t first = (ptrdiff_t)(at.y0 - k->layout.y0) * k->width + at.x0 - k->layout.x0;
    return (struct grid_u8){k->receivers + first, at.x0, at.y0, at.width, at.height, k->width};
}

/* The section and 2 cells around it, with misleading heights beyond the world. */
static struct grid_i32 window_of(const struct flow_kit *k, struct flow_section at) {
    struct grid_i32 g = {NULL, at.x0 - 2, at.y0 - 2, at.width + 4, at.height + 4, at.width + 4};
    g.cells = malloc((size_t)g.width * (size_t)g.height * sizeof *g.cells);
    for (int32_t y = 0; y < g.height; y++)
        for (int32_t x = 0; x < g.width; x++) {
            int32_t wx = g.x0 + x - k->layout.x0, wy = g.y0 + y - k->layout.y0;
            bool in = wx >= 0 && wy >= 0 && wx < k->width && wy < k->height;
            g.cells[y * g.stride + x] = in ? k->filled[wy * k->width + wx] : -FLOW_HEIGHT_MAX;
        }
    return g;
}

static void run_section(struct flow_kit *k, int32_t i, int pass, struct arena *arena) {
    struct error err = {0};
    int32_t columns = flow_columns(&k->layout);
    struct flow_section at = flow_section_of(&k->layout, i % columns, i / columns);
    struct grid_i32 z = part_i32(k, k->z, at), filled = part_i32(k, k->filled, at);
    struct grid_u8 receivers = part_u8(k, at);
    struct flow_record a, b;
    size_t mark = arena_mark(arena);
    if (pass == 0) {
        assert_int_equal(terrain_fill_local(&z, arena, &a, &b, &err), STATUS_OK);
        keep(&k->fill_local[i], a);
        keep(&k->basins[i], b);
    } else if (pass == 1) {
        assert_int_equal(terrain_filled(&z, k->basins[i], k->fill_world[i], &filled, arena, &err), STATUS_OK);
    } else if (pass == 2) {
        struct grid_i32 window = window_of(k, at);
        assert_int_equal(terrain_flow_local(&k->layout, at, k->seed, &window, &receivers, &a, arena, &err),
                         STATUS_OK);
        keep(&k->flow_local[i], a);
        free(window.cells);
    } else {
        uint64_t *area = malloc((size_t)at.width * (size_t)at.height * sizeof *area);
        assert_int_equal(terrain_flow_finish(&receivers, k->flow_world[i], area, arena, &err), STATUS_OK);
        for (int32_t y = 0; y < at.height; y++)
            memcpy(k->area + (ptrdiff_t)(at.y0 - k->layout.y0 + y) * k->width + at.x0 - k->layout.x0,
                   area + (ptrdiff_t)y * at.width, (size_t)at.width * sizeof *area);
        free(area);
    }
    arena_release(arena, mark);
}

void flow_kit_run(struct flow_kit *k) {
    struct error err = {0};
    int32_t side = k->width > k->height ? k->width : k->height;
    side = side < k->layout.side ? side : k->layout.side;
    size_t need = terrain_fill_scratch(side, side), other = terrain_flow_local_scratch(side, side);
    need = need > other ? need : other;
    other = terrain_flow_finish_scratch(side, side);
    struct arena arena = test_arena(need > other ? need : other);
    struct arena world = test_arena((size_t)1 << 25);
    struct flow_record *out = calloc((size_t)k->sections, sizeof *out);
    for (int pass = 0; pass < 4; pass++) {
        for (int32_t i = 0; i < k->sections; i++)
            run_section(k, i, pass, &arena);
        if (pass == 0)
            assert_int_equal(terrain_fill_world(&k->layout, k->fill_local, out, &world, &err), STATUS_OK);
        if (pass == 2)
            assert_int_equal(terrain_flow_world(&k->layout, k->flow_local, out, &world, &err), STATUS_OK);
        for (int32_t i = 0; i < k->sections && pass % 2 == 0; i++)
            keep(pass == 0 ? &k->fill_world[i] : &k->flow_world[i], out[i]);
    }
    free(out);
    free(arena.base);
    free(world.base);
}

/* --- references: as the definitions read, over the whole raster --- */

struct queue {
    int64_t *items; /* level, then cell */
    int32_t count;
};

static void push(struct queue *q, int32_t level, int32_t cell) {
    int64_t item = (int64_t)level * ((int64_t)1 << 32) + cell;
    int32_t i = q->count++;
    for (; i > 0 && q->items[(i - 1) / 2] > item; i = (i - 1) / 2)
        q->items[i] = q->items[(i - 1) / 2];
    q->items[i] = item;
}

static int32_t pop(struct queue *q) {
    int64_t top = q->items[0], item = q->items[--q->count];
    int32_t i = 0;
    for (int32_t c = 1; c < q->count; c = 2 * i + 1) {
        c += c + 1 < q->count && q->items[c + 1] < q->items[c];
        if (q->items[c] >= item)
            break;
        q->items[i] = q->items[c];
        i = c;
    }
    q->items[i] = item;
    return (int32_t)(top & 0x7fffffff);
}

/* Neighbour d of cell i, or -1 beyond the world. */
static int32_t neighbour(const struct flow_kit *k, int32_t i, int d) {
    int32_t x = i % k->width + flow_dx[d], y = i / k->width + flow_dy[d];
    return x < 0 || y < 0 || x >= k->width || y >= k->height ? -1 : y * k->width + x;
}

static bool on_edge(const struct flow_kit *k, int32_t i) {
    return flow_on_edge(&k->layout, k->layout.x0 + i % k->width, k->layout.y0 + i / k->width) != 0;
}

static void fill_reference(const struct flow_kit *k, int32_t *filled) {
    int32_t cells = k->width * k->height;
    struct queue q = {malloc((size_t)cells * sizeof *q.items), 0};
    for (int32_t i = 0; i < cells; i++) {
        filled[i] = on_edge(k, i) ? k->z[i] : INT32_MAX;
        if (on_edge(k, i))
            push(&q, k->z[i], i);
    }
    while (q.count) {
        int32_t i = pop(&q);
        for (int d = 0; d < 8; d++) {
            int32_t n = neighbour(k, i, d);
            if (n < 0 || filled[n] != INT32_MAX)
                continue;
            filled[n] = k->z[n] > filled[i] ? k->z[n] : filled[i];
            push(&q, filled[n], n);
        }
    }
    free(q.items);
}

/* The receiver of a cell by the header of flow_receivers; -1 leaves, -2 lake. */
static int32_t receiver(const struct flow_kit *k, const int32_t *f, int32_t i) {
    uint64_t hash = hash_place(k->seed, hash_name("flow_rho8"), k->layout.x0 + i % k->width,
                               k->layout.y0 + i / k->width, 0);
    int64_t best[2] = {0, 0};
    int to[2] = {-1, -1};
    for (int d = 0; d < 8; d++) {
        int32_t n = neighbour(k, i, d);
        int64_t drop = n < 0 ? 0 : (int64_t)f[i] - f[n];
        int tie = (int)(hash >> (d < 4 ? 16 : 18) & 3);
        if (drop > 0 &&
            (drop > best[d / 4] || (drop == best[d / 4] && ((d & 3) ^ tie) > ((to[d / 4] & 3) ^ tie)))) {
            best[d / 4] = drop;
            to[d / 4] = d;
        }
    }
    if (to[0] < 0 && to[1] < 0)
        return on_edge(k, i) ? -1 : -2;
    bool diagonal = best[1] * 65536 > best[0] * (131072 - (int64_t)(hash & 65535));
    return neighbour(k, i, to[diagonal]);
}

/* Gives lake cells their outlet as receiver (all of one lake at once). */
static void outlets(const struct flow_kit *k, const int32_t *f, int32_t *to, int32_t *lake) {
    int32_t cells = k->width * k->height, *stack = malloc((size_t)cells * sizeof *stack);
    for (int32_t i = 0; i < cells; i++)
        lake[i] = -1;
    for (int32_t first = 0; first < cells; first++) {
        if (to[first] != -2 || lake[first] >= 0)
            continue;
        int32_t count = 0, done = 0, outlet = INT32_MAX;
        stack[count++] = first;
        lake[first] = first;
        while (done < count) {
            int32_t i = stack[done++];
            for (int d = 0; d < 8; d++) {
                int32_t n = neighbour(k, i, d);
                if (n < 0 || f[n] != f[i] || lake[n] >= 0)
                    continue;
                if (to[n] != -2) {
                    outlet = n < outlet ? n : outlet;
                    continue;
                }
                lake[n] = first;
                stack[count++] = n;
            }
        }
        assert_true(outlet < INT32_MAX);
        for (int32_t j = 0; j < count; j++)
            to[stack[j]] = stack[j] == first ? outlet : first;
    }
    free(stack);
}

void flow_reference(const struct flow_kit *k, int32_t *filled, uint64_t *area) {
    int32_t cells = k->width * k->height;
    int32_t *to = malloc((size_t)cells * sizeof *to), *lake = malloc((size_t)cells * sizeof *lake);
    int32_t *donors = calloc((size_t)cells, sizeof *donors), *order = malloc((size_t)cells * sizeof *order);
    fill_reference(k, filled);
    for (int32_t i = 0; i < cells; i++)
        to[i] = receiver(k, filled, i);
    outlets(k, filled, to, lake);
    for (int32_t i = 0; i < cells; i++) {
        /* water that enters a lake enters its first cell */
        if (to[i] >= 0 && lake[to[i]] >= 0)
            to[i] = lake[to[i]];
        area[i] = 1;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < cells; i++)
        if (to[i] >= 0)
            donors[to[i]]++;
    for (int32_t i = 0; i < cells; i++)
        if (donors[i] == 0)
            order[count++] = i;
    for (int32_t j = 0; j < count; j++) {
        int32_t n = to[order[j]];
        if (n < 0)
            continue;
        area[n] += area[order[j]];
        if (--donors[n] == 0)
            order[count++] = n;
    }
    assert_int_equal(count, cells);
    for (int32_t i = 0; i < cells; i++)
        if (lake[i] >= 0)
            area[i] = area[lake[i]];
    free(to);
    free(lake);
    free(donors);
    free(order);
}
