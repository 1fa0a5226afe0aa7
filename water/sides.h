/* Owns on which side of a fall a sample lies. Distances to the water's edge do not tell: in a bend, or where
 * a pool is wider than its fall, the edge of the water below may lie nearer than the fall's own. The nearest
 * place on the middle of the line decides, for each of the first SIDES lines in reach that have falls. Knows
 * nothing of grids. */
#ifndef WATER_SIDES_H
#define WATER_SIDES_H
#include "water/field.h"

enum { SIDES = 2 };

/* Of one line at one sample: its nearest piece, and those of its two nearest surfaces that do not fall. -1:
 * none. */
struct water_side {
    uint32_t line;
    int32_t piece, first, second;
    float d2, first_d2, second_d2; /* m2, to the middles */
};

/* Whether pieces are of one surface: of a line, between two falls, or of one fall. */
static inline bool water_one_surface(const struct water_piece *a, const struct water_piece *b) {
    return a->line == b->line && a->reach == b->reach && !((a->flags ^ b->flags) & PIECE_FALL);
}

/* A sample's sides before anything is offered. */
static inline void water_sides_clear(struct water_side sides[SIDES]) {
    for (int k = 0; k < SIDES; k++)
        sides[k] = (struct water_side){0, -1, -1, -1, 1e30f, 1e30f, 1e30f};
}

/* Piece i lies so far from the sample. */
void water_sides_offer(const struct water_set *set, struct water_side sides[SIDES], uint32_t i, float d2);

static inline const struct water_side *water_side_of(const struct water_side sides[SIDES], uint32_t line) {
    for (int k = 0; k < SIDES; k++)
        if (sides[k].piece >= 0 && sides[k].line == line)
            return &sides[k];
    return NULL;
}

/* Whether a piece is of water that the sample's side does not belong to. */
static inline bool water_beyond_fall(const struct water_set *set, const struct water_side sides[SIDES],
                                     const struct water_piece *p) {
    const struct water_side *side = water_side_of(sides, p->line);
    return side && !water_one_surface(&set->pieces[side->piece], p);
}

#endif
