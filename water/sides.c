#include "water/sides.h"

static void offer_flat(const struct water_set *set, struct water_side *s, int32_t i, float d2) {
    const struct water_piece *p = &set->pieces[i];
    if (d2 < s->first_d2) {
        if (s->first >= 0 && !water_one_surface(&set->pieces[s->first], p)) {
            s->second = s->first;
            s->second_d2 = s->first_d2;
        }
        s->first = i;
        s->first_d2 = d2;
    } else if (d2 < s->second_d2 && !water_one_surface(&set->pieces[s->first], p)) {
        s->second = i;
        s->second_d2 = d2;
    }
}

void water_sides_offer(const struct water_set *set, struct water_side sides[SIDES], uint32_t i, float d2) {
    const struct water_piece *p = &set->pieces[i];
    int k = 0;
    while (k < SIDES && sides[k].piece >= 0 && sides[k].line != p->line)
        k++;
    if (k == SIDES)
        return;
    struct water_side *s = &sides[k];
    s->line = p->line;
    if (d2 < s->d2) {
        s->piece = (int32_t)i;
        s->d2 = d2;
    }
    if (!(p->flags & PIECE_FALL))
        offer_flat(set, s, (int32_t)i, d2);
}
