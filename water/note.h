/* Owns what a solve has to say: where lines were drawn so that the ground had to give way, one note a line
 * and kind, at the worst place; and where water ends. */
#ifndef WATER_NOTE_H
#define WATER_NOTE_H
#include "water/river.h"

enum water_note_kind {
    NOTE_UPHILL,       /* its end lies `metres` higher than its start, and the water `cut` under its banks */
    NOTE_CUT,          /* the line climbs: the water lies `metres` under its banks */
    NOTE_OVERFLOW,     /* the water lies `metres` over its bank (which is raised, with a carved bed) */
    NOTE_END,          /* its water ends in no lake, no other water and not at the world's edge; nearest is
                        * that of line `near`, `metres` from there */
    NOTE_CIRCLE,       /* it runs in a circle, or comes from one */
    NOTE_LAKE_HIGH,    /* a given level lies `metres` over the lake's lowest shore, `cut` over its highest */
    NOTE_LAKE_LOWERED, /* water upstream lies lower: the lake lies `metres` under its lowest shore */
    NOTE_LAKE_DEEP,    /* a given level lies `metres` under the lake's lowest shore */
    NOTE_LAKE_DRY,     /* without a carved bed: all of its ground lies over its level, by `metres` */
    NOTE_LAKE_CUT,     /* on a slope: its highest shore lies `metres` over its level, and is cut */
    NOTE_KINDS
};
struct water_note {
    double x, y, metres, cut;
    uint32_t kind;
    uint32_t item;       /* number of the line or lake, as given to water_solve */
    uint32_t near, zero; /* a line; UINT32_MAX: none */
};

/* Ends and circles are only noted where the direction of some line was found by height: else they are known
 * without any heights. Returns how many; at most water_notes_most. */
size_t water_notes(const struct water_river *river, struct water_note *notes);
size_t water_notes_most(const struct water_river *river);

/* Whether an edge's water ends in no lake, no other water and not at the world's edge. Where lines end head
 * on, all do. */
bool water_end_is_named(const struct water_river *river, const struct water_edge *edge);

#endif
