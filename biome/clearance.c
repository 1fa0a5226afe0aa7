#include "biome/clearance.h"

#include <math.h>

float biome_trunk_m(const struct recipe *recipe, const struct biome_candidate *c) {
    const struct recipe_species *s = candidate_species(recipe, c);
    return s->trunk_radius_m > 0.0f ? s->trunk_radius_m * recipe_growth(s, biome_height_m(recipe, c)) : 0.0f;
}

float biome_clearance_reach_m(const struct recipe *recipe, int32_t tier, float agent_m) {
    float most = 0.0f;
    for (int32_t i = 0; i < recipe->tiers[tier].species_count; i++) {
        const struct recipe_species *s = &recipe->species[recipe->tiers[tier].species[i]];
        float trunk = s->trunk_radius_m > 0.0f ? s->trunk_radius_m * recipe_growth(s, s->height_max_m) : 0.0f;
        most = trunk > most ? trunk : most;
    }
    return most > 0.0f ? most + agent_m : -1.0f;
}

size_t biome_clearance_places(const struct biome_clearance_params *p) {
    return (size_t)(p->x1 - p->x0) * (size_t)(p->y1 - p->y0) * CLEARANCE_FINE * CLEARANCE_FINE;
}

/* The first place at or beyond a coordinate, within 0..count. Places lie at (k + 1/2) steps from `from_m`. */
static int32_t place_at(double m, double from_m, double step_m, int32_t count) {
    double k = ceil((m - from_m) / step_m - 0.5);
    return k < 0.0 ? 0 : k > (double)count ? count : (int32_t)k;
}

static void mark_disc(const struct biome_clearance_params *p, double x_m, double y_m, double radius_m,
                      uint8_t bit, uint8_t *blocked) {
    double step_m = p->cell_m / CLEARANCE_FINE;
    double from_x = (double)p->x0 * p->cell_m, from_y = (double)p->y0 * p->cell_m;
    int32_t wide = (p->x1 - p->x0) * CLEARANCE_FINE, high = (p->y1 - p->y0) * CLEARANCE_FINE;
    int32_t row1 = place_at(y_m + radius_m, from_y, step_m, high);
    int32_t column0 = place_at(x_m - radius_m, from_x, step_m, wide);
    int32_t column1 = place_at(x_m + radius_m, from_x, step_m, wide);
    for (int32_t row = place_at(y_m - radius_m, from_y, step_m, high); row < row1; row++)
        for (int32_t column = column0; column < column1; column++) {
            double dx = from_x + ((double)column + 0.5) * step_m - x_m;
            double dy = from_y + ((double)row + 0.5) * step_m - y_m;
            if (dx * dx + dy * dy < radius_m * radius_m)
                blocked[(size_t)row * (size_t)wide + (size_t)column] |= bit;
        }
}

void biome_clearance_mark(const struct biome_clearance_params *p, const struct biome_candidate *standing,
                          size_t count, uint8_t *blocked) {
    for (size_t i = 0; i < count; i++) {
        double trunk_m = (double)biome_trunk_m(p->recipe, &standing[i]);
        for (int32_t a = 0; trunk_m > 0.0 && a < p->agents; a++)
            mark_disc(p, (double)standing[i].x_q / 1024.0, (double)standing[i].y_q / 1024.0,
                      trunk_m + (double)p->agent_m[a], (uint8_t)(1 << a), blocked);
    }
}

void biome_clearance_count(const struct biome_clearance_params *p, const uint8_t *blocked,
                           uint32_t free_places[CLEARANCE_AGENTS_MAX]) {
    size_t places = biome_clearance_places(p);
    for (int32_t a = 0; a < CLEARANCE_AGENTS_MAX; a++) {
        free_places[a] = 0;
        for (size_t i = 0; a < p->agents && i < places; i++)
            free_places[a] += !(blocked[i] >> a & 1);
    }
}
