/* Owns what is said of drawn water, at the places where it is drawn: by `check` without heights, and from the
 * notes of the water's solve (layer water_notes). */
#ifndef GEN_WATER_REPORT_H
#define GEN_WATER_REPORT_H
#include "gen/geojson.h"
#include "gen/report.h"
#include "gen/stage.h"
#include "gen/world.h"

/* window: water_notes over any cells; notes outside `cells` are left out. Streams that nobody drew are
 * reported together. */
enum status water_report(const struct world *world, const struct window *window, struct rect cells,
                         struct report *report, struct arena *scratch, struct error *err);

/* Says something of a drawn thing, at its place, under its kind and id. */
void water_say(const struct feature *feature, enum report_level level, const char *text,
               struct report *report);
/* near: the line (NULL: none) whose water is nearest to that end, gap_m away. */
void water_say_end(const struct feature *feature, double x, double y, const struct feature *near,
                   double gap_m, double snap_m, struct report *report);
void water_say_circle(const struct feature *feature, double x, double y, struct report *report);

#endif
