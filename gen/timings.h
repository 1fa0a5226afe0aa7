/* Owns OUT/timings.json: what the last bake into the folder took, stage by stage. Nothing compares it. */
#ifndef GEN_TIMINGS_H
#define GEN_TIMINGS_H
#include "gen/bake.h"

enum status timings_write(const char *out, const struct bake_report *report, struct error *err);

#endif
