/* Owns what a solve has to say: where lines were drawn so that the ground had to give way, one note a line
 * and kind, at the worst place. */
#ifndef WATER_NOTE_H
#define WATER_NOTE_H
#include "water/river.h"

enum water_note_kind {
    NOTE_UPHILL,      /* its end lies `metres` higher than its start, and the water under its banks */
    NOTE_CUT,         /* the line climbs: the water lies `metres` under its banks */
    NOTE_OVERFLOW,    /* the water lies `metres` over its bank (which is raised, with a carved bed) */
    NOTE_LAKE_HIGH,   /* a given level lies `metres` over the lake's lowest shore */
    NOTE_LAKE_LOWERED /* water upstream lies lower: the lake lies `metres` under its lowest shore */
};
struct water_note {
    double x, y, metres;
    uint32_t kind;
    uint32_t item; /* number of the line or lake, as given to water_solve */
};

/* At most 2 a line and 2 a lake. Returns how many. */
size_t water_notes(const struct water_river *river, struct water_note *notes);

#endif
