#include "water/sides.h"

bool water_find_falling(const struct water_set *set, uint8_t *falls) {
    bool any = false;
    for (uint32_t i = 0; i < set->piece_count; i++)
        falls[i] = 0;
    for (uint32_t i = 0; i < set->piece_count; i++) {
        const struct water_piece *p = &set->pieces[i];
        if (falls[i])
            continue;
        bool many = false;
        for (uint32_t k = i + 1; k < set->piece_count && !many; k++)
            many = set->pieces[k].line == p->line && !water_one_surface(p, &set->pieces[k]);
        for (uint32_t k = i; k < set->piece_count; k++)
            if (set->pieces[k].line == p->line)
                falls[k] = many ? 2 : 1;
        any |= many;
    }
    for (uint32_t i = 0; i < set->piece_count; i++)
        falls[i] = falls[i] == 2;
    return any;
}

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
