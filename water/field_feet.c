/* Rows of the field against pieces: plain loops over floats, several samples at once. Places are taken from
 * the piece's first end in doubles first: what a sample gets does not depend on where its row begins. */
#include "water/field_own.h"

#include "terrain/clones.h"

TERRAIN_CLONES static void find_east(const struct row_of_samples *row, double from, int32_t count,
                                     float *restrict east) {
    double shift = row->shift, cell_m = row->cell_m;
    int32_t first = row->first, step = row->step;
    for (int32_t k = 0; k < count; k++)
        east[k] = (float)((first + k * step + shift) * cell_m - from);
}

/* What the loop over a row needs of a piece. */
struct slope {
    float dx, dy, per_l2, per_l, ey, left, more_left, right, more_right;
};

TERRAIN_CLONES static void find_places(const struct slope *p, int32_t count, float *restrict t_out,
                                       float *restrict d_out, float *restrict sd_out,
                                       float *restrict side_out, float *restrict half_out,
                                       float *restrict width_out) {
    float dx = p->dx, dy = p->dy, per_l2 = p->per_l2, per_l = p->per_l, ey = p->ey, eydy = ey * dy,
          eydx = ey * dx;
    float l0 = p->left, dl = p->more_left, r0 = p->right, dr = p->more_right;
    for (int32_t k = 0; k < count; k++) {
        float ex = t_out[k], t = (ex * dx + eydy) * per_l2;
        t = t > 0.0f ? t : 0.0f;
        t = t < 1.0f ? t : 1.0f;
        float fx = ex - t * dx, fy = ey - t * dy, d = sqrtf(fx * fx + fy * fy);
        float left = l0 + t * dl, right = r0 + t * dr, mean = 0.5f * (left + right);
        float side = 2.0f * ((eydx - dy * ex) * per_l) / mean;
        side = side > -1.0f ? side : -1.0f;
        side = side < 1.0f ? side : 1.0f;
        float half = mean + 0.5f * side * (left - right);
        t_out[k] = t;
        d_out[k] = d;
        sd_out[k] = d - half;
        side_out[k] = side;
        half_out[k] = half;
        width_out[k] = left + right;
    }
}

void field_find_feet(const struct ready *r, const struct row_of_samples *row, const struct feet *out) {
    const struct water_piece *p = r->p;
    int32_t count = (row->count + LANES - 1) / LANES * LANES;
    struct slope s = {
        (float)r->dx, (float)r->dy,        (float)r->per_l2, (float)r->per_l,      (float)(row->y - p->y0),
        p->left0,     p->left1 - p->left0, p->right0,        p->right1 - p->right0};
    find_east(row, p->x0, count, out->t);
    find_places(&s, count, out->t, out->d, out->sd, out->side, out->half, out->width);
}

/* What weigh() needs of a piece. */
struct course {
    float speed, more_speed, bend, more_bend, depth, more_depth, bars;
};

TERRAIN_CLONES static void find_weights(int32_t count, const float *restrict sd, const float *restrict width,
                                        const float *restrict near_sd, const float *restrict band,
                                        float *restrict weight) {
    for (int32_t k = 0; k < count; k++) {
        float wide = width[k] - 8.0f;
        wide = wide > 0.0f ? wide : 0.0f;
        float u = 1.0f - (sd[k] - near_sd[k]) / (band[k] + 0.2f * width[k] + 0.3f * wide);
        u = u > 0.0f ? u : 0.0f;
        u = sd[k] < (float)WATER_REACH_M ? u : 0.0f;
        weight[k] = u * u * u;
    }
}

TERRAIN_CLONES static void find_courses(const struct course *c, int32_t count, const float *restrict t,
                                        const float *restrict d, const float *restrict side,
                                        const float *restrict half, const float *restrict width,
                                        float *restrict dig_out, float *restrict speed_out) {
    float s0 = c->speed, ds = c->more_speed, b0 = c->bend, db = c->more_bend, h0 = c->depth,
          dh = c->more_depth;
    float bars = c->bars;
    for (int32_t k = 0; k < count; k++) {
        float e = d[k] / half[k];
        bool in = e < 1.0f;
        e = in ? e : 1.0f;
        float inner = (b0 + t[k] * db) * side[k] * e;
        float bar = (inner - 0.35f) * (1.0f / 0.3f), broad = (width[k] - 3.0f) * 0.25f,
              edge = 4.0f * (1.0f - e);
        bar = bar > 0.0f ? bar : 0.0f;
        bar = bar < 1.0f ? bar : 1.0f;
        broad = broad > 0.0f ? broad : 0.0f;
        broad = broad < 1.0f ? broad : 1.0f;
        edge = edge < 1.0f ? edge : 1.0f;
        bar *= broad * bars;
        float dig = (h0 + t[k] * dh) * (1.0f - e * e * (0.4f + 0.6f * e)) * (1.0f - 0.75f * inner);
        dig = dig * (1.0f - bar) - 0.3f * bar * edge;
        dig_out[k] = in ? dig : 0.0f;
        speed_out[k] = (s0 + t[k] * ds) * (1.0f - 0.7f * e * e);
    }
}

void field_weigh(const struct ready *r, int32_t samples, const float *near_sd, const float *band,
                 const struct feet *f) {
    const struct water_piece *p = r->p;
    int32_t count = (samples + LANES - 1) / LANES * LANES;
    struct course c = {p->speed0,
                       p->speed1 - p->speed0,
                       p->bend0,
                       p->bend1 - p->bend0,
                       p->depth0,
                       p->depth1 - p->depth0,
                       p->flags & PIECE_POOL ? 0.0f : 1.0f};
    find_weights(count, f->sd, f->width, near_sd, band, f->weight);
    find_courses(&c, count, f->t, f->d, f->side, f->half, f->width, f->dig, f->speed);
}
