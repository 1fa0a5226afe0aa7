#include "biome/imprint.h"

#include <math.h>

static const struct recipe_write *find_write(const struct recipe_species *s, int32_t mask) {
    for (int32_t w = 0; w < s->write_count; w++)
        if (s->writes[w].mask == mask)
            return &s->writes[w];
    return NULL;
}

float biome_imprint_reach_m(const struct recipe *recipe, int32_t tier, int32_t mask) {
    const struct recipe_tier *t = &recipe->tiers[tier];
    float reach = -1.0f;
    for (int32_t i = 0; i < t->species_count; i++) {
        const struct recipe_species *s = &recipe->species[t->species[i]];
        const struct recipe_write *w = find_write(s, mask);
        if (!w)
            continue;
        float r = w->radius_m * recipe_growth(s, s->height_max_m) + w->falloff_m;
        reach = r > reach ? r : reach;
    }
    return reach;
}

/* Cells of one axis whose centres lie within reach of a place, cut to [low, high). */
static void span(double at_m, double reach_m, double cell_m, int32_t low, int32_t high, int32_t *from,
                 int32_t *to) {
    double a = floor((at_m - reach_m) / cell_m - 0.5), b = floor((at_m + reach_m) / cell_m + 0.5);
    *from = a > (double)low ? (int32_t)a : low;
    *to = b < (double)(high - 1) ? (int32_t)b + 1 : high;
}

static void imprint(double x_m, double y_m, double radius_m, double falloff_m, double cell_m,
                    const struct grid_u8 *out) {
    int32_t x0, x1, y0, y1;
    double reach_m = radius_m + falloff_m, reach2 = reach_m * reach_m, radius2 = radius_m * radius_m;
    span(y_m, reach_m, cell_m, out->y0, out->y0 + out->height, &y0, &y1);
    for (int32_t y = y0; y < y1; y++) {
        double dy = ((double)y + 0.5) * cell_m - y_m, half2 = reach2 - dy * dy;
        if (half2 <= 0.0)
            continue;
        span(x_m, sqrt(half2), cell_m, out->x0, out->x0 + out->width, &x0, &x1);
        for (int32_t x = x0; x < x1; x++) {
            uint8_t *cell = grid_u8_at(out, x, y);
            double dx = ((double)x + 0.5) * cell_m - x_m, d2 = dx * dx + dy * dy;
            if (*cell == 255 || d2 >= reach2)
                continue;
            double v = d2 <= radius2 ? 255.0 : 255.0 * (reach_m - sqrt(d2)) / falloff_m;
            uint8_t code = (uint8_t)(v + 0.5);
            *cell = code > *cell ? code : *cell;
        }
    }
}

void biome_imprint_mask(const struct recipe *recipe, int32_t mask, double cell_m,
                        const struct biome_candidate *standing, size_t count, const struct grid_u8 *out) {
    for (size_t i = 0; i < count; i++) {
        const struct recipe_species *s = candidate_species(recipe, &standing[i]);
        const struct recipe_write *w = find_write(s, mask);
        if (!w)
            continue;
        float growth = recipe_growth(s, biome_height_m(recipe, &standing[i]));
        imprint((double)standing[i].x_q / 1024.0, (double)standing[i].y_q / 1024.0,
                (double)(w->radius_m * growth), (double)w->falloff_m, cell_m, out);
    }
}
