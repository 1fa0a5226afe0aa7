#include "gen/water_report.h"

#include "gen/water_lines.h"
#include "water/note.h"
#include <stdio.h>
#include <string.h>

static void tell(const struct world *world, const struct water_drawing *drawing, const struct water_note *n,
                 struct report *report) {
    bool lake = n->kind == NOTE_LAKE_HIGH || n->kind == NOTE_LAKE_LOWERED;
    if (n->item >= (lake ? drawing->lake_count : drawing->line_count))
        return;
    bool carve = lake ? drawing->lakes[n->item].carve : drawing->lines[n->item].carve;
    const struct feature *f =
        &world->splines->items[lake ? drawing->lakes[n->item].source : drawing->lines[n->item].source];
    char name[96] = "", text[200] = "";
    if (f->id)
        snprintf(name, sizeof name, " \"%.64s\"", f->id);
    switch ((enum water_note_kind)n->kind) {
    case NOTE_UPHILL:
        snprintf(text, sizeof text,
                 "it runs uphill: its end lies %.1f m over its start; turn it around, or direction: auto",
                 n->metres);
        break;
    case NOTE_CUT:
        snprintf(text, sizeof text, "it climbs: the water lies %.1f m under its banks at (%.0f, %.0f)%s",
                 n->metres, n->x, n->y, carve ? ", and the ground is cut" : "");
        break;
    case NOTE_OVERFLOW:
        snprintf(text, sizeof text, "the water lies %.1f m over its bank at (%.0f, %.0f)%s", n->metres, n->x,
                 n->y, carve ? ", which is raised" : "");
        break;
    case NOTE_LAKE_HIGH:
        snprintf(text, sizeof text, "its level lies %.1f m over its lowest shore; it starts at (%.0f, %.0f)",
                 n->metres, n->x, n->y);
        break;
    case NOTE_LAKE_LOWERED:
        snprintf(text, sizeof text,
                 "water upstream lies lower: its level is %.1f m under its lowest shore; it starts at (%.0f, "
                 "%.0f)",
                 n->metres, n->x, n->y);
        break;
    }
    report_add(report, REPORT_WARNING, STATUS_INPUT, f->file, f->line, f->column, "%s%s: %s", f->kind_text,
               name, text);
}

enum status water_report(const struct world *world, const struct window *window, struct rect cells,
                         struct report *report, struct arena *scratch, struct error *err) {
    struct water_drawing drawing;
    double m = world->extent.cell_m;
    struct rect s = window->sections;
    enum status status = water_draw(world, scratch, &drawing, err);
    for (int32_t i = 0; status == STATUS_OK && i < (s.x1 - s.x0) * (s.y1 - s.y0); i++) {
        const struct tile *tile = window->tiles[i];
        for (size_t at = 0; tile && at + sizeof(struct water_note) <= tile->size;
             at += sizeof(struct water_note)) {
            struct water_note note;
            memcpy(&note, tile->bytes + at, sizeof note);
            if (note.x >= cells.x0 * m && note.x <= cells.x1 * m && note.y >= cells.y0 * m &&
                note.y <= cells.y1 * m)
                tell(world, &drawing, &note, report);
        }
    }
    return status;
}
