#include "water/river.h"

#include "terrain/math.h"
#include <math.h>

size_t water_solve_scratch(const struct water_line *lines, size_t line_count, double cell_m) {
    double points = 64, spacing = water_spacing_m(cell_m);
    for (size_t l = 0; l < line_count; l++) {
        const struct curve *c = &lines[l].curve;
        for (size_t i = 1; i < c->count; i++) {
            double dx = c->xy[2 * i] - c->xy[2 * i - 2], dy = c->xy[2 * i + 1] - c->xy[2 * i - 1];
            points += 1.6 * sqrt(dx * dx + dy * dy) / spacing + 3;
        }
        points += 64;
    }
    size_t n = (size_t)math_min(points, 1e9);
    size_t each = sizeof(struct water_station) * 3 + 256;
    return arena_need(n, each) + terrain_network_scratch(line_count, n) + arena_need(n, 40 * 9) + 65536;
}

/* How far the level's slope is looked at from station i, at most 6 stations: not over a fall's lip or foot.
 */
static size_t look(const struct water_station *s, size_t i, size_t end, int way) {
    uint32_t fall = s[i].flags & STATION_FALL;
    for (int k = 0; k < 6 && i != end; k++) {
        size_t next = way > 0 ? i + 1 : i - 1;
        if ((s[next].flags & STATION_FALL) != fall)
            break;
        i = next;
    }
    return i;
}

/* Manning's formula for a wide bed of gravel (n = 0.045), from the level's slope over some widths. */
static void find_speeds(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        struct water_station *s = river->stations + river->edges[e].first;
        size_t n = river->edges[e].count;
        for (size_t i = 0; i < n; i++) {
            if (s[i].speed > 0)
                continue;
            size_t a = look(s, i, 0, -1), b = look(s, i, n - 1, 1);
            double ds = fabs(s[b].s_m - s[a].s_m);
            double slope = ds > 0 ? math_max(0, (s[a].level - s[b].level) / ds) : 0;
            double radius = 0.6 * math_min(s[i].depth, 3);
            s[i].speed = math_max(0.15, math_min(4.5, math_pow(radius, 2.0 / 3) * sqrt(slope) / 0.045));
        }
    }
}

/* Where a line is drawn over a mountain no gorge is cut: the ground stays, and the water runs under it. */
static void bury(struct water_river *river) {
    for (size_t e = 0; e < river->edge_count; e++) {
        struct water_station *s = river->stations + river->edges[e].first;
        for (size_t i = 0; i < river->edges[e].count; i++)
            if (s[i].lake < 0 && s[i].raw_cap - s[i].level > river->params.max_cut_m)
                s[i].flags |= STATION_BURIED;
    }
}

enum status water_solve(const struct water_params *params, struct water_line *lines, size_t line_count,
                        struct water_lake *lakes, size_t lake_count, const struct water_heights *heights,
                        struct arena *arena, struct water_river *river, struct error *err) {
    *river = (struct water_river){.params = *params,
                                  .lines = lines,
                                  .line_count = line_count,
                                  .lakes = lakes,
                                  .lake_count = lake_count,
                                  .heights = heights};
    water_measure_lakes(river);
    enum status status = water_sample_lines(river, arena, err);
    for (size_t l = 0; status == STATUS_OK && l < line_count; l++)
        if (lines[l].fit)
            status = water_fit_line(river, l, arena, err);
    if (status == STATUS_OK)
        status = water_reach_waters(river, arena, err);
    if (status == STATUS_OK)
        status = water_join(river, arena, err);
    if (status != STATUS_OK)
        return status;
    water_measure_banks(river);
    status = water_find_levels(river, arena, err);
    if (status == STATUS_OK) {
        water_find_falls(river);
        water_make_steps(river);
        water_find_rapids(river);
        water_find_bodies(river);
        bury(river);
        find_speeds(river);
    }
    return status;
}
