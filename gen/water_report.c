#include "gen/water_report.h"

#include "gen/water_lines.h"
#include "water/note.h"
#include <stdio.h>
#include <string.h>

/* What a feature is called by who drew it: its id, or "name", or OpenStreetMap's number. */
static const char *name_of(const struct feature *f, char name[96]) {
    const char *text = f->id ? f->id : feature_text(f, "name", feature_text(f, "osm", NULL));
    double osm = feature_number(f, "osm", 0, 0);
    name[0] = 0;
    if (text && text[0])
        snprintf(name, 96, " \"%.64s\"", text);
    else if (osm >= 1 && osm < 1e15)
        snprintf(name, 96, " osm %.0f", osm);
    return name;
}

void water_say(const struct feature *f, enum report_level level, const char *text, struct report *report) {
    char name[96], number[32] = "";
    if (level == REPORT_ERROR)
        snprintf(number, sizeof number, "features[%u]: ", (unsigned)f->index);
    report_add(report, level, STATUS_INPUT, f->file, f->line, f->column, "%s%s%s: %s", number, f->kind_text,
               name_of(f, name), text);
}

void water_say_end(const struct feature *f, double x, double y, const struct feature *near, double gap_m,
                   double snap_m, struct report *report) {
    char text[320], name[96];
    int n = snprintf(text, sizeof text,
                     "its water ends at (%.6g, %.6g), in no lake, no other water and not at the world's edge",
                     x, y);
    if (near && gap_m < 0.01 && n > 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n,
                 "; it runs against %s%s, which ends there too: turn one around", near->kind_text,
                 name_of(near, name));
    else if (near && n > 0 && (size_t)n < sizeof text)
        snprintf(text + n, sizeof text - (size_t)n,
                 "; nearest is the water of %s%s, %.1f m away, and snap_m is %g m", near->kind_text,
                 name_of(near, name), gap_m, snap_m);
    water_say(f, REPORT_WARNING, text, report);
}

void water_say_circle(const struct feature *f, double x, double y, struct report *report) {
    char text[160];
    snprintf(
        text, sizeof text,
        "its water runs in a circle through (%.6g, %.6g), or comes from one: it will be level there; turn "
        "a line around",
        x, y);
    water_say(f, REPORT_WARNING, text, report);
}

/* What became of the ground where the water lies `cut` under its banks. */
static const char *consequence(const struct world *world, double cut, bool carve, char text[96]) {
    if (cut > world->freshwater.max_cut_m)
        snprintf(text, 96, ", and runs under the ground where that is more than max_cut_m, %g m",
                 world->freshwater.max_cut_m);
    else
        snprintf(text, 96, "%s", carve ? ", and the ground is cut" : "");
    return text;
}

static bool of_lake(const struct water_note *n) {
    return n->kind == NOTE_LAKE_HIGH || n->kind == NOTE_LAKE_LOWERED || n->kind == NOTE_LAKE_DEEP ||
           n->kind == NOTE_LAKE_DRY || n->kind == NOTE_LAKE_CUT;
}

static void tell(const struct world *world, const struct water_drawing *drawing, const struct water_note *n,
                 struct report *report) {
    bool lake = of_lake(n);
    bool carve = lake ? drawing->lakes[n->item].carve : drawing->lines[n->item].carve;
    const struct feature *f =
        &world->splines->items[lake ? drawing->lakes[n->item].source : drawing->lines[n->item].source];
    char text[320] = "", more[96];
    switch ((enum water_note_kind)n->kind) {
    case NOTE_UPHILL:
        snprintf(
            text, sizeof text,
            "it runs uphill: its end lies %.1f m over its start, and the water %.1f m under its banks at "
            "(%.0f, %.0f)%s; turn it around, or say direction: auto",
            n->metres, n->cut, n->x, n->y, consequence(world, n->cut, carve, more));
        break;
    case NOTE_CUT:
        snprintf(text, sizeof text, "it climbs: the water lies %.1f m under its banks at (%.0f, %.0f)%s",
                 n->metres, n->x, n->y, consequence(world, n->metres, carve, more));
        break;
    case NOTE_OVERFLOW:
        snprintf(text, sizeof text, "the water lies %.1f m over its bank at (%.0f, %.0f)%s", n->metres, n->x,
                 n->y, carve ? ", which is raised" : "");
        break;
    case NOTE_END:
        water_say_end(f, n->x, n->y,
                      n->near < drawing->line_count ? &world->splines->items[drawing->lines[n->near].source]
                                                    : NULL,
                      n->metres, world->freshwater.snap_m, report);
        return;
    case NOTE_CIRCLE:
        water_say_circle(f, n->x, n->y, report);
        return;
    case NOTE_LAKE_HIGH:
        snprintf(more, sizeof more, " and %.1f m over its highest: it is higher than everything around it",
                 n->cut);
        snprintf(text, sizeof text,
                 "its level lies %.1f m over its lowest shore%s; it starts at (%.0f, %.0f)", n->metres,
                 n->cut > 0 ? more : "", n->x, n->y);
        break;
    case NOTE_LAKE_DEEP:
        snprintf(text, sizeof text,
                 "its level lies %.1f m under its lowest shore%s; it starts at (%.0f, %.0f)", n->metres,
                 carve ? ", and the ground is dug out" : "", n->x, n->y);
        break;
    case NOTE_LAKE_DRY:
        snprintf(
            text, sizeof text,
            "it makes no water: all of its ground lies over its level, by %.1f m or more, and carve: none "
            "leaves it; it starts at (%.0f, %.0f)",
            n->metres, n->x, n->y);
        break;
    case NOTE_LAKE_LOWERED:
        snprintf(text, sizeof text,
                 "water upstream lies lower: its level is %.1f m under its lowest shore; it starts at (%.0f, "
                 "%.0f)",
                 n->metres, n->x, n->y);
        break;
    case NOTE_LAKE_CUT:
        snprintf(text, sizeof text,
                 "it lies on a slope: its shore stands up to %.1f m over its level, at (%.0f, %.0f), and the "
                 "ground is "
                 "cut there; its level is that of its lowest shore",
                 n->metres, n->x, n->y);
        break;
    case NOTE_KINDS:
        return;
    }
    water_say(f, REPORT_WARNING, text, report);
}

/* Of streams that nobody drew: how many, and the worst. */
struct tally {
    size_t count[NOTE_KINDS];
    struct water_note worst[NOTE_KINDS];
};

static void count_note(struct tally *t, const struct water_note *n) {
    uint32_t kind = n->kind == NOTE_UPHILL ? (uint32_t)NOTE_CUT : n->kind;
    double metres = kind == NOTE_CUT ? n->cut : n->metres;
    if (!t->count[kind]++ || metres > t->worst[kind].metres) {
        t->worst[kind] = *n;
        t->worst[kind].metres = metres;
    }
}

static void tell_streams(const struct world *world, const struct tally *t, struct report *report) {
    static const struct {
        uint32_t kind;
        const char *what, *worst;
    } lines[] = {
        {NOTE_CUT, "climb out of hollows, more than 2 m under their banks", "the deepest"},
        {NOTE_OVERFLOW, "stand over their banks", "the highest"},
        {NOTE_END, "end in level ground or hollows of more than 4 ha in which no lake is drawn", "one"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct water_note *w = &t->worst[lines[i].kind];
        char metres[32] = "";
        if (!t->count[lines[i].kind])
            continue;
        if (lines[i].kind != NOTE_END)
            snprintf(metres, sizeof metres, ", %.1f m,", w->metres);
        report_add(report, REPORT_WARNING, STATUS_INPUT, world->path, world->freshwater.stream_line,
                   world->freshwater.stream_column, "auto_streams: %zu %s; %s%s at (%.0f, %.0f)",
                   t->count[lines[i].kind], lines[i].what, lines[i].worst, metres, w->x, w->y);
    }
}

/* What begins beyond the world's edge counts to the cells at the edge. */
static double within(double v, int32_t first, int32_t end, double cell_m) {
    return v < first * cell_m ? first * cell_m : v > end * cell_m ? end * cell_m : v;
}

enum status water_report(const struct world *world, const struct window *window, struct rect cells,
                         struct report *report, struct arena *scratch, struct error *err) {
    struct water_drawing drawing;
    struct tally streams = {.count = {0}};
    double m = world->extent.cell_m;
    struct rect s = window->sections, c = world->extent.cells;
    enum status status = water_draw(world, scratch, &drawing, err);
    for (int32_t i = 0; status == STATUS_OK && i < (s.x1 - s.x0) * (s.y1 - s.y0); i++) {
        const struct tile *tile = window->tiles[i];
        for (size_t at = 0; tile && at + sizeof(struct water_note) <= tile->size;
             at += sizeof(struct water_note)) {
            struct water_note note;
            memcpy(&note, tile->bytes + at, sizeof note);
            bool lake = of_lake(&note);
            double x = within(note.x, c.x0, c.x1, m), y = within(note.y, c.y0, c.y1, m);
            bool inside = x >= cells.x0 * m && x <= cells.x1 * m && y >= cells.y0 * m && y <= cells.y1 * m;
            if (!inside || note.kind >= NOTE_KINDS)
                continue;
            if (!lake && note.item >= drawing.line_count)
                count_note(&streams, &note);
            else if (!lake || note.item < drawing.lake_count)
                tell(world, &drawing, &note, report);
        }
    }
    if (status == STATUS_OK)
        tell_streams(world, &streams, report);
    return status;
}
