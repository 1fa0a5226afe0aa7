/* Which features touch a box: blocks of a section's size, each listing what may touch it. */
#include "gen/features_own.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct features_index {
    double block_m;
    struct rect blocks;
    size_t *start; /* block b lists items[start[b]] .. items[start[b + 1] - 1], ascending */
    uint32_t *items;
};
/* A box over more blocks is answered by looking at every feature. */
enum { FIND_BLOCKS_MAX = 64 };

void features_index_free(struct features_index *index) {
    if (!index)
        return;
    free(index->start);
    free(index->items);
    free(index);
}

double feature_reach_m(const struct feature *f) {
    double reach = 0;
    if (f->shape == FEATURE_POINT)
        reach = feature_number(f, "radius_m", 0, 0);
    for (size_t i = 0; f->shape == FEATURE_LINE && i < f->count; i++) {
        double half = feature_number(f, "width_m", i, 0) / 2;
        reach = half > reach ? half : reach;
    }
    return reach > 0 ? reach : 0;
}

static int32_t clamped(double v, int32_t lo, int32_t hi) {
    if (!(v > (double)lo))
        return lo;
    return v >= (double)hi ? hi - 1 : (int32_t)v; /* v is whole */
}

/* Blocks that a box touches; what lies beyond the edge counts to the blocks at the edge. */
static struct rect block_range(const struct features_index *x, const struct box *box) {
    double b = x->block_m;
    struct rect all = x->blocks;
    return (struct rect){
        clamped(floor(box->x0 / b), all.x0, all.x1), clamped(floor(box->y0 / b), all.y0, all.y1),
        clamped(floor(box->x1 / b), all.x0, all.x1) + 1, clamped(floor(box->y1 / b), all.y0, all.y1) + 1};
}

static size_t block_number(const struct features_index *x, int32_t bx, int32_t by) {
    return (size_t)(by - x->blocks.y0) * (size_t)(x->blocks.x1 - x->blocks.x0) + (size_t)(bx - x->blocks.x0);
}

/* Lists feature i in every block that the box touches, once: counts (items NULL), or writes at start[b]++.
 * seen[b] is i + 1 when it is already there. */
static void list_box(struct features_index *x, const struct box *box, uint32_t i, uint32_t *seen,
                     size_t *counts) {
    struct rect r = block_range(x, box);
    for (int32_t by = r.y0; by < r.y1; by++)
        for (int32_t bx = r.x0; bx < r.x1; bx++) {
            size_t b = block_number(x, bx, by);
            if (seen[b] == i + 1)
                continue;
            seen[b] = i + 1;
            if (counts)
                counts[b + 1]++;
            else
                x->items[x->start[b]++] = i;
        }
}

/* Lines by their segments, so that a long diagonal one is not everywhere; the rest by their boxes. */
static void list_feature(struct features_index *x, const struct feature *f, uint32_t i, uint32_t *seen,
                         size_t *counts) {
    double reach = feature_reach_m(f);
    if (f->shape != FEATURE_LINE) {
        struct box box = {f->x0 - reach, f->y0 - reach, f->x1 + reach, f->y1 + reach};
        list_box(x, &box, i, seen, counts);
        return;
    }
    struct curve curve = feature_curve(f, 0);
    for (size_t k = 0; k < curve_segments(&curve); k++) {
        double c[8];
        terrain_curve_bezier(&curve, k, c);
        struct box box = {c[0], c[1], c[0], c[1]};
        for (int n = 2; n < 8; n += 2) {
            box.x0 = c[n] < box.x0 ? c[n] : box.x0;
            box.x1 = c[n] > box.x1 ? c[n] : box.x1;
            box.y0 = c[n + 1] < box.y0 ? c[n + 1] : box.y0;
            box.y1 = c[n + 1] > box.y1 ? c[n + 1] : box.y1;
        }
        box = (struct box){box.x0 - reach, box.y0 - reach, box.x1 + reach, box.y1 + reach};
        list_box(x, &box, i, seen, counts);
    }
}

enum status features_index_build(struct features *f, const struct extent *extent) {
    if (f->count == 0)
        return STATUS_OK;
    struct features_index *x = calloc(1, sizeof *x);
    uint32_t *seen = NULL;
    enum status status = STATUS_LIMIT;
    if (!x)
        return STATUS_LIMIT;
    f->index = x;
    x->block_m = extent->cell_m * SECTION_CELLS;
    x->blocks = rect_blocks(extent->cells, SECTION_CELLS);
    size_t blocks = (size_t)(x->blocks.x1 - x->blocks.x0) * (size_t)(x->blocks.y1 - x->blocks.y0);
    x->start = calloc(blocks + 1, sizeof *x->start);
    seen = calloc(blocks, sizeof *seen);
    if (!x->start || !seen)
        goto done;
    for (uint32_t i = 0; i < f->count; i++)
        list_feature(x, &f->items[i], i, seen, x->start);
    for (size_t b = 0; b < blocks; b++)
        x->start[b + 1] += x->start[b];
    x->items = malloc((x->start[blocks] + 1) * sizeof *x->items);
    if (!x->items)
        goto done;
    memset(seen, 0, blocks * sizeof *seen);
    for (uint32_t i = 0; i < f->count; i++)
        list_feature(x, &f->items[i], i, seen, NULL);
    /* listing moved every start to its end: shift back */
    for (size_t b = blocks; b > 0; b--)
        x->start[b] = x->start[b - 1];
    x->start[0] = 0;
    status = STATUS_OK;
done:
    free(seen);
    return status;
}

static bool touches(const struct feature *f, const struct box *box) {
    double reach = feature_reach_m(f);
    return f->x0 - reach <= box->x1 && f->x1 + reach >= box->x0 && f->y0 - reach <= box->y1 &&
           f->y1 + reach >= box->y0;
}

/* The least entry >= from in a block's list; UINT32_MAX: none. */
static uint32_t least_from(const struct features_index *x, size_t block, size_t from) {
    size_t lo = x->start[block], hi = x->start[block + 1], end = hi;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (x->items[mid] < from)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < end ? x->items[lo] : UINT32_MAX;
}

static size_t next_candidate(const struct features_index *x, struct rect r, size_t from) {
    size_t least = SIZE_MAX;
    for (int32_t by = r.y0; by < r.y1; by++)
        for (int32_t bx = r.x0; bx < r.x1; bx++) {
            uint32_t i = least_from(x, block_number(x, bx, by), from);
            if (i != UINT32_MAX && i < least)
                least = i;
        }
    return least;
}

bool features_find(const struct features *f, const struct box *box, size_t *from) {
    if (!f || f->count == 0)
        return false;
    struct rect r = {0, 0, 0, 0};
    bool all = !f->index;
    if (!all) {
        r = block_range(f->index, box);
        all = (int64_t)(r.x1 - r.x0) * (r.y1 - r.y0) > FIND_BLOCKS_MAX;
    }
    for (size_t i = *from; i < f->count; i++) {
        if (!all)
            i = next_candidate(f->index, r, i);
        if (i >= f->count)
            return false;
        if (touches(&f->items[i], box)) {
            *from = i;
            return true;
        }
    }
    return false;
}
