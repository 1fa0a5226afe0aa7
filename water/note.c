#include "water/note.h"

#include <math.h>

static const double CUT_M = 2, OVERFLOW_M = 0.5, LAKE_M = 0.5;

static void worst(struct water_note *note, double metres, double x, double y) {
    if (metres > note->metres) {
        note->metres = metres;
        note->x = x;
        note->y = y;
    }
}

/* How far under its banks the water lies where it need not: falls, pools and mouths are cut on purpose. */
static void look_at_lines(const struct water_river *river, struct water_note *cut, struct water_note *over) {
    for (size_t e = 0; e < river->edge_count; e++) {
        const struct water_edge *edge = &river->edges[e];
        for (size_t i = 0; i < edge->count; i++) {
            const struct water_station *s = &river->stations[edge->first + i];
            if (s->lake >= 0 || (s->flags & (STATION_FALL | STATION_POOL | STATION_MOUTH)))
                continue;
            worst(&cut[edge->line], s->raw_cap - s->level, s->x, s->y);
            worst(&over[edge->line], s->level - s->raw_cap, s->x, s->y);
        }
    }
}

/* A line that climbs from end to end was drawn the wrong way round. */
static void look_at_direction(const struct water_river *river, size_t l, struct water_note *cut) {
    const struct water_station *a = &river->points[river->point_first[l]];
    const struct water_station *b = &river->points[river->point_first[l + 1] - 1];
    double rise = water_height_at(river->heights, b->x, b->y) - water_height_at(river->heights, a->x, a->y);
    if (rise > CUT_M && cut->metres > CUT_M) {
        cut->kind = NOTE_UPHILL;
        cut->metres = rise;
    }
}

static void look_at_lake(const struct water_lake *lake, struct water_note *high, struct water_note *low) {
    if (lake->river_area || !(lake->shore_m < 1e8))
        return;
    worst(high, lake->level - lake->shore_m, lake->xy[0], lake->xy[1]);
    if (!(lake->level_m == lake->level_m) || lake->level < lake->level_m)
        worst(low, lake->shore_m - lake->level, lake->xy[0], lake->xy[1]);
}

size_t water_notes(const struct water_river *river, struct water_note *notes) {
    size_t lines = river->line_count, lakes = river->lake_count, n = 0;
    for (size_t i = 0; i < 2 * (lines + lakes); i++) {
        bool lake = i >= 2 * lines;
        size_t item = lake ? (i - 2 * lines) % (lakes ? lakes : 1) : i % (lines ? lines : 1);
        uint32_t kind = !lake ? (i < lines ? NOTE_CUT : NOTE_OVERFLOW)
                              : (i < 2 * lines + lakes ? NOTE_LAKE_HIGH : NOTE_LAKE_LOWERED);
        static const double least[] = {CUT_M, CUT_M, OVERFLOW_M, LAKE_M, LAKE_M};
        notes[i] = (struct water_note){0, 0, least[kind], kind, (uint32_t)item};
    }
    look_at_lines(river, notes, notes + lines);
    for (size_t l = 0; l < lines; l++)
        look_at_direction(river, l, &notes[l]);
    for (size_t l = 0; l < lakes; l++)
        look_at_lake(&river->lakes[l], &notes[2 * lines + l], &notes[2 * lines + lakes + l]);
    for (size_t i = 0; i < 2 * (lines + lakes); i++)
        if (notes[i].metres >
            (notes[i].kind == NOTE_CUT || notes[i].kind == NOTE_UPHILL ? CUT_M : OVERFLOW_M))
            notes[n++] = notes[i];
    return n;
}
