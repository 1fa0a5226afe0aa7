#include "biome/clearance.h"

#include "terrain/clones.h"
#include <math.h>

enum { CLEARANCE_RUN = 64 }; /* places of a row at a time */

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

/* One trunk's discs, one an agent: the squares of their radii. */
struct disc {
    double x_m, y_m, most_m; /* the largest radius */
    double radius2[CLEARANCE_AGENTS_MAX];
};

/* Where the places lie. */
struct fine {
    double from_x, from_y, step_m;
    int32_t wide, high;
};

/* Rows [row0, row1) of the places from `column` on. */
TERRAIN_CLONES
static void mark_rows(const struct fine *f, const struct disc *d, int32_t agents, int32_t row0, int32_t row1,
                      int32_t column, int32_t n, uint8_t *blocked) {
    double step_m = f->step_m, x_m = d->x_m, from_x = f->from_x;
    for (int32_t at = 0; at < n; at += CLEARANCE_RUN) {
        int32_t count = n - at < CLEARANCE_RUN ? n - at : CLEARANCE_RUN, inside[CLEARANCE_RUN];
        double dx2[CLEARANCE_RUN];
        for (int32_t i = 0; i < count; i++) {
            double dx = from_x + ((double)(column + at + i) + 0.5) * step_m - x_m;
            dx2[i] = dx * dx;
        }
        for (int32_t row = row0; row < row1; row++) {
            uint8_t *to = blocked + (size_t)row * (size_t)f->wide + (size_t)(column + at);
            double dy = f->from_y + ((double)row + 0.5) * step_m - d->y_m, dy2 = dy * dy;
            for (int32_t i = 0; i < count; i++)
                inside[i] = 0;
            for (int32_t a = 0; a < agents; a++) {
                double radius2 = d->radius2[a];
                int32_t bit = 1 << a;
                for (int32_t i = 0; i < count; i++)
                    inside[i] |= dx2[i] + dy2 < radius2 ? bit : 0;
            }
            for (int32_t i = 0; i < count; i++)
                to[i] |= (uint8_t)inside[i];
        }
    }
}

static void mark_disc(const struct fine *f, const struct disc *d, int32_t agents, uint8_t *blocked) {
    int32_t row0 = place_at(d->y_m - d->most_m, f->from_y, f->step_m, f->high);
    int32_t row1 = place_at(d->y_m + d->most_m, f->from_y, f->step_m, f->high);
    int32_t column0 = place_at(d->x_m - d->most_m, f->from_x, f->step_m, f->wide);
    int32_t column1 = place_at(d->x_m + d->most_m, f->from_x, f->step_m, f->wide);
    if (column0 < column1)
        mark_rows(f, d, agents, row0, row1, column0, column1 - column0, blocked);
}

/* What lies too far from the cells for any trunk of its tier is left out before its own is asked. */
void biome_clearance_mark(const struct biome_clearance_params *p, const struct biome_candidate *standing,
                          size_t count, uint8_t *blocked) {
    double reach_m[RECIPE_TIERS_MAX], west = (double)p->x0 * p->cell_m, east = (double)p->x1 * p->cell_m;
    double south = (double)p->y0 * p->cell_m, north = (double)p->y1 * p->cell_m;
    float most_m = 0.0f;
    const struct fine fine = {west, south, p->cell_m / CLEARANCE_FINE, (p->x1 - p->x0) * CLEARANCE_FINE,
                              (p->y1 - p->y0) * CLEARANCE_FINE};
    for (int32_t a = 0; a < p->agents; a++)
        most_m = p->agent_m[a] > most_m ? p->agent_m[a] : most_m;
    for (int32_t t = 0; t < p->recipe->tier_count; t++)
        reach_m[t] = (double)biome_clearance_reach_m(p->recipe, t, most_m) + 1.0;
    for (size_t i = 0; i < count; i++) {
        double x_m = (double)standing[i].x_q / 1024.0, y_m = (double)standing[i].y_q / 1024.0;
        double r = reach_m[standing[i].tier];
        if (x_m < west - r || x_m > east + r || y_m < south - r || y_m > north + r)
            continue;
        double trunk_m = (double)biome_trunk_m(p->recipe, &standing[i]);
        if (trunk_m <= 0.0)
            continue;
        struct disc d = {.x_m = x_m, .y_m = y_m, .most_m = trunk_m + (double)most_m};
        for (int32_t a = 0; a < p->agents; a++) {
            double radius_m = trunk_m + (double)p->agent_m[a];
            d.radius2[a] = radius_m * radius_m;
        }
        mark_disc(&fine, &d, p->agents, blocked);
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
