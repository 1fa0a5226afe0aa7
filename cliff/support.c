#include "cliff/support.h"

#include <math.h>
#include <string.h>

static const double hold_m = 4.0;
enum { AIR = 0, HELD = 1 /* then by steps */, LOOSE = 255 };

int32_t cliff_support_reach(const struct cliff_params *p) {
    int32_t n = (int32_t)ceil(hold_m / p->step_m);
    return n > 32 ? 32 : n;
}

struct run {
    int32_t i, j, from, to; /* samples from .. to - 1 of the column */
    bool held;
};

/* Marks the samples; counts or lists (runs not NULL) the runs that do not reach the ground. */
static size_t find_loose(const struct lattice *l, uint8_t *mark, struct run *runs) {
    size_t count = 0;
    for (int32_t j = l->y0; j < l->y0 + l->height; j++)
        for (int32_t i = l->x0; i < l->x0 + l->width; i++) {
            const struct lattice_column *c = lattice_at(l, i, j);
            for (int32_t k = 0, end; k < c->count; k = end) {
                end = k + 1;
                if (l->samples[c->at + (size_t)k].f >= 0) {
                    mark[c->at + (size_t)k] = AIR;
                    continue;
                }
                while (end < c->count && l->samples[c->at + (size_t)end].f < 0)
                    end++;
                memset(mark + c->at + k, k == 0 ? HELD : LOOSE, (size_t)(end - k));
                if (k > 0 && runs)
                    runs[count] = (struct run){i, j, k, end, false};
                count += k > 0;
            }
        }
    return count;
}

static bool beside(const struct lattice *l, const uint8_t *mark, const struct run *r, uint8_t wanted) {
    static const int8_t sides[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int32_t k0 = lattice_at(l, r->i, r->j)->k0;
    for (int32_t s = 0; s < 4; s++) {
        int32_t a = r->i + sides[s][0], b = r->j + sides[s][1];
        if (a < l->x0 || b < l->y0 || a >= l->x0 + l->width || b >= l->y0 + l->height)
            continue;
        const struct lattice_column *c = lattice_at(l, a, b);
        for (int32_t k = k0 + r->from; k < k0 + r->to; k++)
            if (lattice_has(c, k) && mark[c->at + (size_t)(k - c->k0)] == wanted)
                return true;
    }
    return false;
}

bool cliff_support(const struct cliff_params *p, struct lattice *l, struct arena *scratch) {
    size_t begin = arena_mark(scratch);
    uint8_t *mark = arena_alloc(scratch, l->sample_count + 1, 1);
    size_t count = mark ? find_loose(l, mark, NULL) : 0;
    struct run *runs = arena_alloc(scratch, count + 1, sizeof *runs);
    if (!mark || !runs)
        return false;
    find_loose(l, mark, runs);
    for (int32_t step = 0; step < cliff_support_reach(p); step++)
        for (size_t r = 0; r < count; r++) {
            const struct lattice_column *c = lattice_at(l, runs[r].i, runs[r].j);
            if (runs[r].held || !beside(l, mark, &runs[r], (uint8_t)(HELD + step)))
                continue;
            runs[r].held = true;
            memset(mark + c->at + runs[r].from, HELD + step + 1, (size_t)(runs[r].to - runs[r].from));
        }
    for (size_t r = 0; r < count; r++) {
        const struct lattice_column *c = lattice_at(l, runs[r].i, runs[r].j);
        for (int32_t k = runs[r].from; !runs[r].held && k < runs[r].to; k++)
            l->samples[c->at + (size_t)k] = (struct cliff_sample){0.25f, CLIFF_BASE};
    }
    arena_release(scratch, begin);
    return true;
}
