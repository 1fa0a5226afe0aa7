#include "cliff/edges.h"

#include <string.h>

/* Signs of a column: bit k & 63 of word (k >> 6) - word0 says whether sample k is solid. Words are aligned to
 * the world, so that columns are compared word by word. */
struct signs {
    uint64_t *words;
    size_t *at; /* by column */
};

static int32_t word_of(int32_t k) {
    return k >= 0 ? k / 64 : -((63 - k) / 64);
}
static int32_t words_in(const struct lattice_column *c) {
    return c->count == 0 ? 0 : word_of(c->k0 + c->count - 1) - word_of(c->k0) + 1;
}

static bool make_signs(const struct lattice *l, struct arena *scratch, struct signs *out) {
    size_t columns = (size_t)l->width * (size_t)l->height, total = 0;
    out->at = arena_alloc(scratch, columns, sizeof *out->at);
    for (size_t n = 0; out->at && n < columns; n++) {
        out->at[n] = total;
        total += (size_t)words_in(&l->columns[n]);
    }
    out->words = arena_alloc(scratch, total + 1, sizeof *out->words);
    if (!out->at || !out->words)
        return false;
    memset(out->words, 0, total * sizeof *out->words);
    for (size_t n = 0; n < columns; n++) {
        const struct lattice_column *c = &l->columns[n];
        uint64_t *words = out->words + out->at[n];
        int32_t shift = c->k0 - 64 * word_of(c->k0);
        for (int32_t k = 0; k < c->count; k++)
            words[(shift + k) >> 6] |= (uint64_t)(l->samples[c->at + (size_t)k].f < 0) << ((shift + k) & 63);
    }
    return true;
}

/* Bits from .. until - 1 (any whole numbers) of the word that begins at `begin`. */
static uint64_t bits_within(int32_t begin, int32_t from, int32_t until) {
    uint64_t mask = ~(uint64_t)0;
    if (from > begin)
        mask = from - begin < 64 ? mask << (from - begin) : 0;
    if (until < begin + 64)
        mask &= until > begin ? ~(uint64_t)0 >> (begin + 64 - until) : 0;
    return mask;
}

struct finding {
    const struct lattice *lattice;
    const struct signs *signs;
    struct cliff_edges *out;
};

static void add_bits(struct finding *f, uint64_t bits, int32_t begin, int32_t axis) {
    for (; bits; bits &= bits - 1) {
        if (f->out->edges)
            f->out->edges[f->out->count++] = 4 * (uint32_t)(begin + __builtin_ctzll(bits)) + (uint32_t)axis;
        else
            f->out->crossed++;
    }
}

/* Edges from column n to column `other` beside it. */
static void find_beside(struct finding *f, size_t n, size_t other, int32_t axis) {
    const struct lattice_column *a = &f->lattice->columns[n], *b = &f->lattice->columns[other];
    int32_t from = a->k0 > b->k0 ? a->k0 : b->k0;
    int32_t end_a = a->k0 + a->count, end_b = b->k0 + b->count, until = end_a < end_b ? end_a : end_b;
    const uint64_t *s = f->signs->words + f->signs->at[n], *t = f->signs->words + f->signs->at[other];
    int32_t first_a = word_of(a->k0), first_b = word_of(b->k0);
    for (int32_t w = word_of(from); from < until && w <= word_of(until - 1); w++)
        add_bits(f, (s[w - first_a] ^ t[w - first_b]) & bits_within(64 * w, from, until), 64 * w - a->k0,
                 axis);
}

static void find_upwards(struct finding *f, size_t n) {
    const struct lattice_column *c = &f->lattice->columns[n];
    const uint64_t *s = f->signs->words + f->signs->at[n];
    int32_t first = word_of(c->k0), until = c->k0 + c->count - 1;
    for (int32_t w = 0; w < words_in(c); w++) {
        uint64_t above = w + 1 < words_in(c) ? s[w + 1] : 0;
        int32_t begin = 64 * (first + w);
        add_bits(f, (s[w] ^ (s[w] >> 1 | above << 63)) & bits_within(begin, c->k0, until), begin - c->k0, 2);
    }
}

static bool rock_near(const struct lattice *l, int32_t i, int32_t j) {
    if (lattice_at(l, i, j)->count == 0)
        return false;
    for (int32_t b = j - 1; b <= j + 1; b++)
        for (int32_t a = i - 1; a <= i + 1; a++)
            if (lattice_at(l, a, b)->rock)
                return true;
    return false;
}

/* Counts, or lists where out->edges is there. */
static void find_all(struct finding *f, const int32_t window[4]) {
    const struct lattice *l = f->lattice;
    for (int32_t j = l->y0; j < l->y0 + l->height; j++)
        for (int32_t i = l->x0; i < l->x0 + l->width; i++) {
            size_t n = (size_t)(j - l->y0) * (size_t)l->width + (size_t)(i - l->x0);
            f->out->first[n] = f->out->count;
            if (i < window[0] || j < window[1] || i >= window[2] || j >= window[3] || !rock_near(l, i, j))
                continue;
            find_beside(f, n, n + 1, 0);
            find_beside(f, n, n + (size_t)l->width, 1);
            find_upwards(f, n);
        }
    f->out->first[(size_t)l->width * (size_t)l->height] = f->out->count;
}

bool cliff_edges_find(const struct lattice *l, const int32_t window[4], uint32_t most, struct arena *scratch,
                      struct cliff_edges *out) {
    struct signs signs;
    *out = (struct cliff_edges){0};
    out->first = arena_alloc(scratch, (size_t)l->width * (size_t)l->height + 1, sizeof *out->first);
    if (!out->first || !make_signs(l, scratch, &signs))
        return false;
    struct finding f = {l, &signs, out};
    find_all(&f, window);
    if (out->crossed > most)
        return true;
    out->edges = arena_alloc(scratch, (size_t)out->crossed + 1, sizeof *out->edges);
    if (!out->edges)
        return false;
    find_all(&f, window);
    return true;
}
