/* Owns how the notes of the water's solve (layer water_notes) become warnings at the places where things were
 * drawn. */
#ifndef GEN_WATER_REPORT_H
#define GEN_WATER_REPORT_H
#include "gen/report.h"
#include "gen/stage.h"
#include "gen/world.h"

/* window: water_notes over any cells; notes outside `cells` are left out. */
enum status water_report(const struct world *world, const struct window *window, struct rect cells,
                         struct report *report, struct arena *scratch, struct error *err);

#endif
