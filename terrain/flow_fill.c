#include "terrain/flow_fill.h"

#include "terrain/flow_basins.h"
#include "terrain/flow_graph.h"

#include <string.h>

size_t terrain_fill_scratch(int32_t width, int32_t height) {
    size_t cells = (size_t)width * (size_t)height;
    return flow_basins_scratch(width, height) + flow_flood_scratch(cells, 5 * cells) +
           arena_need(4 * cells + 16, sizeof(int32_t)) * 2;
}

/* Floats up to FLOW_HEIGHT_MAX convert exactly. NaN fails the comparison. */
static int quantise_row(const float *in, int32_t n, int32_t *restrict out) {
    const float limit = (float)FLOW_HEIGHT_MAX;
    int bad = 0;
    for (int32_t i = 0; i < n; i++) {
        float t = in[i] * (float)FLOW_UNIT;
        int fits = t >= -limit && t <= limit;
        t = fits ? t : 0.0f;
        bad |= !fits;
        int32_t whole = (int32_t)t;
        float rest = t - (float)whole;
        out[i] = whole + (rest >= 0.5f) - (rest <= -0.5f);
    }
    return bad;
}

enum status terrain_flow_quantise(const struct grid_f32 *height_m, struct grid_i32 *height,
                                  struct error *err) {
    for (int32_t y = 0; y < height_m->height; y++) {
        const float *in = height_m->cells + y * height_m->stride;
        if (!quantise_row(in, height_m->width, height->cells + y * height->stride))
            continue;
        int32_t x = 0;
        const float most_m = (float)(FLOW_HEIGHT_MAX / FLOW_UNIT);
        while (in[x] >= -most_m && in[x] <= most_m)
            x++;
        return error_set(err, STATUS_INPUT, "height %g m at cell %d,%d: flow needs -%g .. %g m",
                         (double)in[x], height_m->x0 + x, height_m->y0 + y, (double)most_m, (double)most_m);
    }
    return STATUS_OK;
}

/* Lowest height on the perimeter of each basin that touches it, as edges to the outside, in the order in
 * which the perimeter meets the basins. Returns their number. */
static int32_t add_outlets(const struct flow_basins *b, struct flow_edge *edges, int32_t *slot) {
    int32_t count = 0, perimeter = flow_perimeter_count(b->width, b->height);
    memset(slot, -1, (size_t)b->count * sizeof *slot);
    for (int32_t p = 0; p < perimeter; p++) {
        int32_t x, y;
        flow_perimeter_cell(b->width, b->height, p, &x, &y);
        int32_t at = (y + 1) * b->stride + x + 1, basin = b->basin[at], z = b->z[at];
        if (slot[basin] < 0) {
            slot[basin] = count;
            edges[count++] = (struct flow_edge){basin, -1, z};
        } else if (z < edges[slot[basin]].level) {
            edges[slot[basin]].level = z;
        }
    }
    return count;
}

static void write_summary(const struct flow_basins *b, const struct flow_flood *flood, int32_t *out) {
    int32_t perimeter = flow_perimeter_count(b->width, b->height);
    *out++ = perimeter;
    *out++ = flood->labels;
    *out++ = flood->spills;
    for (int32_t p = 0; p < perimeter; p++) {
        int32_t x, y;
        flow_perimeter_cell(b->width, b->height, p, &x, &y);
        int32_t at = (y + 1) * b->stride + x + 1;
        out[p] = b->z[at];
        out[perimeter + p] = flood->label[b->basin[at]];
    }
    out += 2 * perimeter;
    for (int32_t i = 0; i < flood->spills; i++) {
        *out++ = flood->spill[i].a;
        *out++ = flood->spill[i].b;
        *out++ = flood->spill[i].level;
    }
}

enum status terrain_fill_local(const struct grid_i32 *height, struct arena *arena,
                               struct flow_record *summary, struct flow_record *basins, struct error *err) {
    /* The records come first in the arena, at their largest; what else is taken is given back. */
    size_t cells = (size_t)height->width * (size_t)height->height;
    size_t perimeter = (size_t)flow_perimeter_count(height->width, height->height);
    int32_t *sum = arena_alloc(arena, 3 + 5 * perimeter, sizeof *sum);
    int32_t *bas = arena_alloc(arena, 1 + 2 * cells, sizeof *bas);
    size_t mark = arena_mark(arena);
    if (!sum || !bas)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for filling");
    struct flow_basins b;
    struct flow_edge *edges;
    struct flow_flood flood;
    int32_t count;
    enum status status = flow_basins(height, &b, arena, err);
    if (status == STATUS_OK)
        status = flow_basin_edges(&b, &edges, &count, arena, err);
    if (status != STATUS_OK)
        return status;
    int32_t *slot = arena_alloc(arena, (size_t)b.count, sizeof *slot);
    if (!slot)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for filling");
    count += add_outlets(&b, edges + count, slot);
    status = flow_flood(b.count, edges, count, &flood, arena, err);
    if (status != STATUS_OK)
        return status;
    write_summary(&b, &flood, sum);
    bas[0] = b.count;
    memcpy(bas + 1, flood.level, (size_t)b.count * sizeof *bas);
    memcpy(bas + 1 + b.count, flood.label, (size_t)b.count * sizeof *bas);
    *summary = (struct flow_record){sum, (3 + 2 * perimeter + 3 * (size_t)flood.spills) * sizeof *sum};
    *basins = (struct flow_record){bas, (1 + 2 * (size_t)b.count) * sizeof *bas};
    arena_release(arena, mark);
    return STATUS_OK;
}

enum status flow_fill_summary_read(struct flow_record record, int32_t perimeter,
                                   struct flow_fill_summary *out, struct error *err) {
    const int32_t *r = record.bytes;
    size_t words = record.size / sizeof *r;
    if (words < 3 || r[0] != perimeter || r[1] < 0 || r[1] > perimeter || r[2] < 0 || r[2] > r[1] ||
        words != 3 + 2 * (size_t)perimeter + 3 * (size_t)r[2])
        return error_set(err, STATUS_FAULT, "a section's summary of filling is malformed");
    *out = (struct flow_fill_summary){r[0], r[1], r[2], r + 3, r + 3 + perimeter, r + 3 + 2 * perimeter};
    return STATUS_OK;
}

enum status terrain_filled(const struct grid_i32 *height, struct flow_record basins,
                           struct flow_record levels, struct grid_i32 *filled, struct arena *arena,
                           struct error *err) {
    size_t mark = arena_mark(arena);
    const int32_t *record = basins.bytes, *root = levels.bytes;
    struct flow_basins b;
    enum status status = flow_basins(height, &b, arena, err);
    if (status != STATUS_OK)
        return status;
    size_t n = (size_t)b.count;
    if (basins.size != (1 + 2 * n) * sizeof *record || record[0] != b.count)
        return error_set(err, STATUS_FAULT, "the records of filling belong to other heights");
    int32_t *level = arena_alloc(arena, n, sizeof *level);
    if (!level)
        return error_set(err, STATUS_LIMIT, "out of scratch memory for filling");
    for (size_t i = 0; i < n; i++) {
        int32_t inside = record[1 + i], label = record[1 + n + i];
        if (label < 0 || (size_t)label >= levels.size / sizeof *root)
            return error_set(err, STATUS_FAULT, "the records of filling belong to other heights");
        level[i] = inside > root[label] ? inside : root[label];
    }
    for (int32_t y = 0; y < b.height; y++) {
        ptrdiff_t first = (ptrdiff_t)(y + 1) * b.stride + 1;
        int32_t *out = filled->cells + y * filled->stride;
        for (int32_t x = 0; x < b.width; x++) {
            int32_t z = b.z[first + x], l = level[b.basin[first + x]];
            out[x] = z > l ? z : l;
        }
    }
    arena_release(arena, mark);
    return STATUS_OK;
}
