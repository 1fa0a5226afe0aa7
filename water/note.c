#include "water/note.h"

#include "terrain/math.h"

#include <math.h>

enum { DRY_CELLS_MAX = 512 };
static const double CUT_M = 2, OVERFLOW_M = 0.5, LAKE_M = 0.5, LAKE_CUT_M = 6, TINY_M = 1e-6;

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
            if (s->lake >= 0 ||
                (s->flags & (STATION_FALL | STATION_POOL | STATION_MOUTH | STATION_ADDED | STATION_LED)))
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
    cut->cut = cut->metres;
    if (rise > CUT_M && cut->metres > CUT_M) {
        cut->kind = NOTE_UPHILL;
        cut->metres = rise;
    }
}

bool water_end_is_named(const struct water_river *river, const struct water_edge *edge) {
    const struct water_params *p = &river->params;
    const struct water_station *s = &river->stations[edge->first + edge->count - 1];
    double near = 8 + p->snap_m;
    bool border =
        s->x < p->x0_m + near || s->y < p->y0_m + near || s->x > p->x1_m - near || s->y > p->y1_m - near;
    return edge->through < 0 && !border && water_lake_at(river, s->x, s->y, false) < 0;
}

static void name_nearest(const struct water_river *river, struct water_note *note) {
    struct water_nearest near = {.line = UINT32_MAX};
    if (!river->lines[note->item].found) /* streams that nobody drew are only counted */
        near = water_nearest_to(river, note->x, note->y, note->item);
    note->near = near.line;
    note->metres = near.line != UINT32_MAX && near.gap_m > note->metres ? near.gap_m : note->metres;
}

static void look_at_ends(const struct water_river *river, struct water_note *ends,
                         struct water_note *circles) {
    size_t by_height = 0;
    for (size_t l = 0; l < river->line_count; l++)
        by_height += river->lines[l].automatic || river->lines[l].found;
    for (size_t e = 0; by_height && e < river->edge_count; e++) {
        const struct water_edge *edge = &river->edges[e];
        const struct water_station *last = &river->stations[edge->first + edge->count - 1];
        if (water_end_is_named(river, edge))
            worst(&ends[edge->line], TINY_M, last->x, last->y);
        if (edge->circle)
            worst(&circles[edge->line], 1, last->x, last->y);
    }
    for (size_t l = 0; l < river->line_count; l++)
        if (ends[l].metres > 0)
            name_nearest(river, &ends[l]);
}

/* How far the lowest ground of a lake lies over its level; 0 where it does not, or some of its ground is not
 * known (more than 32 m from the shore). */
static double dry_by(const struct water_river *river, const struct water_lake *lake) {
    const struct water_params *p = &river->params;
    double m = p->cell_m, lowest = (double)INFINITY;
    double x0 = math_max(lake->x0, p->x0_m), x1 = math_min(lake->x1, p->x1_m);
    double y0 = math_max(lake->y0, p->y0_m), y1 = math_min(lake->y1, p->y1_m);
    if ((x1 - x0) / m > DRY_CELLS_MAX || (y1 - y0) / m > DRY_CELLS_MAX)
        return 0;
    double from_x = floor(x0 / m), from_y = floor(y0 / m);
    for (int32_t j = 0; (from_y + j + 0.5) * m < y1; j++)
        for (int32_t i = 0; (from_x + i + 0.5) * m < x1; i++) {
            double x = (from_x + i + 0.5) * m, y = (from_y + j + 0.5) * m;
            if (!water_lake_holds(lake, x, y))
                continue;
            double z = water_height_at(river->heights, x, y);
            if (!(z > lake->level))
                return 0;
            lowest = math_min(lowest, z);
        }
    return lowest < (double)INFINITY ? lowest - lake->level : 0;
}

static void look_at_lake(const struct water_river *river, const struct water_lake *lake,
                         struct water_note *high, struct water_note *low, struct water_note *deep,
                         struct water_note *dry, struct water_note *cut) {
    if (!lake->river_area && !lake->carve)
        worst(dry, dry_by(river, lake), lake->xy[0], lake->xy[1]);
    if (dry->metres > 0)
        return;
    if (lake->river_area || !(lake->shore_m < 1e8))
        return;
    worst(high, lake->level - lake->shore_m, lake->xy[0], lake->xy[1]);
    high->cut = lake->level - lake->shore_high_m;
    if (lake->carve && lake->shore_high_m > -1e8)
        worst(cut, lake->shore_high_m - lake->level, lake->high_x, lake->high_y);
    bool lowered = !(lake->level_m == lake->level_m) || lake->level < lake->level_m - 0.01;
    worst(lowered ? low : deep, lake->shore_m - lake->level, lake->xy[0], lake->xy[1]);
}

enum { OF_LINES = 4, OF_LAKES = 5 };

size_t water_notes_most(const struct water_river *river) {
    return OF_LINES * river->line_count + OF_LAKES * river->lake_count;
}

size_t water_notes(const struct water_river *river, struct water_note *notes) {
    static const uint32_t of_lines[OF_LINES] = {NOTE_CUT, NOTE_OVERFLOW, NOTE_END, NOTE_CIRCLE};
    static const uint32_t of_lakes[OF_LAKES] = {NOTE_LAKE_HIGH, NOTE_LAKE_LOWERED, NOTE_LAKE_DEEP,
                                                NOTE_LAKE_DRY, NOTE_LAKE_CUT};
    static const double least[NOTE_KINDS] = {CUT_M,  CUT_M,  OVERFLOW_M, 0, 0,
                                             LAKE_M, LAKE_M, CUT_M,      0, LAKE_CUT_M};
    size_t lines = river->line_count, lakes = river->lake_count, n = 0, most = water_notes_most(river);
    struct water_note *lake_notes = notes + OF_LINES * lines;
    for (size_t i = 0; i < OF_LINES * lines; i++)
        notes[i] = (struct water_note){.kind = of_lines[i / lines], .item = (uint32_t)(i % lines)};
    for (size_t i = 0; i < OF_LAKES * lakes; i++)
        lake_notes[i] = (struct water_note){.kind = of_lakes[i / lakes], .item = (uint32_t)(i % lakes)};
    for (size_t i = 0; i < most; i++)
        notes[i].metres = least[notes[i].kind];
    look_at_lines(river, notes, notes + lines);
    look_at_ends(river, notes + 2 * lines, notes + 3 * lines);
    for (size_t l = 0; l < lines; l++)
        look_at_direction(river, l, &notes[l]);
    for (size_t l = 0; l < lakes; l++)
        look_at_lake(river, &river->lakes[l], &lake_notes[l], &lake_notes[lakes + l],
                     &lake_notes[2 * lakes + l], &lake_notes[3 * lakes + l], &lake_notes[4 * lakes + l]);
    for (size_t i = 0; i < most; i++)
        if (notes[i].metres > least[notes[i].kind])
            notes[n++] = notes[i];
    return n;
}
