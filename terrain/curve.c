#include "terrain/curve.h"

#include "terrain/segment_grid.h"
#include <math.h>

static const double *point_at(const struct curve *c, size_t i) {
    return c->xy + 2 * (i < c->count ? i : i - c->count);
}

/* Square root of the distance: a centripetal knot interval. */
static double interval(const double *a, const double *b) {
    double dx = b[0] - a[0], dy = b[1] - a[1];
    return sqrt(sqrt(dx * dx + dy * dy));
}

/* Derivative at p by the knot parameter, between neighbours a and b at intervals da, db > 0. Sums are ordered
 * so that exchanging a and b negates the result exactly. */
static void derivative(const double *a, const double *p, const double *b, double da, double db,
                       double out[2]) {
    for (int k = 0; k < 2; k++)
        out[k] = ((p[k] - a[k]) / da + (b[k] - p[k]) / db) - (b[k] - a[k]) / (da + db);
}

void terrain_curve_bezier(const struct curve *c, size_t segment, double control[8]) {
    const double *p = point_at(c, segment), *q = point_at(c, segment + 1);
    double pq = interval(p, q), third[2] = {(q[0] - p[0]) / 3, (q[1] - p[1]) / 3};
    for (int k = 0; k < 2; k++) {
        control[k] = p[k];
        control[2 + k] = p[k] + third[k];
        control[4 + k] = q[k] - third[k];
        control[6 + k] = q[k];
    }
    if (!c->smooth || !(pq > 0))
        return;
    double d[2];
    if (c->closed || segment > 0) {
        const double *before = point_at(c, segment > 0 ? segment - 1 : c->count - 1);
        double ap = interval(before, p);
        if (ap > 0) {
            derivative(before, p, q, ap, pq, d);
            control[2] = p[0] + d[0] * pq / 3;
            control[3] = p[1] + d[1] * pq / 3;
        }
    }
    if (c->closed || segment + 2 < c->count) {
        const double *behind = point_at(c, segment + 2);
        double qb = interval(q, behind);
        if (qb > 0) {
            derivative(p, q, behind, pq, qb, d);
            control[4] = q[0] - d[0] * pq / 3;
            control[5] = q[1] - d[1] * pq / 3;
        }
    }
}

/* A cubic from its lesser end (x, then y), so that both directions are worked alike. */
struct cubic {
    double b[8];
    bool turned;
};

static struct cubic cubic_of(const struct curve *c, size_t segment) {
    struct cubic q;
    terrain_curve_bezier(c, segment, q.b);
    q.turned = q.b[6] < q.b[0] || (q.b[6] == q.b[0] && q.b[7] < q.b[1]);
    if (q.b[6] == q.b[0] && q.b[7] == q.b[1])
        q.turned = q.b[4] < q.b[2] || (q.b[4] == q.b[2] && q.b[5] < q.b[3]);
    static const int with[4] = {6, 7, 4, 5}; /* the points in the other order */
    for (int k = 0; q.turned && k < 4; k++) {
        double t = q.b[k];
        q.b[k] = q.b[with[k]];
        q.b[with[k]] = t;
    }
    return q;
}

static void cubic_slope(const struct cubic *q, double u, double out[2]) {
    double v = 1 - u;
    for (int k = 0; k < 2; k++) {
        const double *b = q->b + k;
        out[k] = 3 * ((v * v * (b[2] - b[0]) + u * u * (b[6] - b[4])) + 2 * u * v * (b[4] - b[2]));
    }
}

static double speed(const struct cubic *q, double u) {
    double d[2];
    cubic_slope(q, u, d);
    return sqrt(d[0] * d[0] + d[1] * d[1]);
}

/* Length between parameters, by three Gauss-Legendre points. */
static double piece(const struct cubic *q, double from, double to) {
    double half = (to - from) / 2, mid = (to + from) / 2, at = 0.7745966692414834 * half;
    return half * (((speed(q, mid - at) + speed(q, mid + at)) * 5 + speed(q, mid) * 8) / 9);
}

enum { PIECES = 16 };

static double cubic_length(const struct cubic *q) {
    double sum = 0;
    for (int i = 0; i < PIECES; i++)
        sum += piece(q, (double)i / PIECES, (double)(i + 1) / PIECES);
    return sum;
}

/* The parameter at arc length s: the piece that holds it, then Newton's method inside. */
static double cubic_at_length(const struct cubic *q, double s) {
    double from = 0, length = 0;
    int i = 0;
    for (; i < PIECES; i++) {
        from = (double)i / PIECES;
        length = piece(q, from, (double)(i + 1) / PIECES);
        if (s <= length || i == PIECES - 1)
            break;
        s -= length;
    }
    double u = length > 0 ? from + (s < length ? s / length : 1) / PIECES : from;
    for (int n = 0; n < 3; n++) {
        double v = speed(q, u);
        if (v > 0)
            u -= (piece(q, from, u) - s) / v;
        u = u > from ? u : from;
        u = u < from + 1.0 / PIECES ? u : from + 1.0 / PIECES;
    }
    return u;
}

double terrain_curve_measure(const struct curve *c, double *lengths_m) {
    double sum = 0;
    for (size_t i = 0; i < curve_segments(c); i++) {
        struct cubic q = cubic_of(c, i);
        double dx = q.b[6] - q.b[0], dy = q.b[7] - q.b[1];
        lengths_m[i] = c->smooth ? cubic_length(&q) : sqrt(dx * dx + dy * dy);
        sum += lengths_m[i];
    }
    return sum;
}

/* Point and tangent of a segment at `share` of its length from its lesser end. */
static void place(const struct curve *c, const struct cubic *q, double length_m, double share,
                  struct curve_sample *out) {
    double u = c->smooth ? cubic_at_length(q, share * length_m) : share, v = 1 - u, xy[2], d[2];
    for (int k = 0; k < 2; k++) {
        const double *b = q->b + k;
        xy[k] = (v * v * v * b[0] + u * u * u * b[6]) + 3 * u * v * (v * b[2] + u * b[4]);
    }
    cubic_slope(q, u, d);
    double size = sqrt(d[0] * d[0] + d[1] * d[1]), sign = q->turned ? -1 : 1;
    out->x = share <= 0 ? q->b[0] : share >= 1 ? q->b[6] : xy[0];
    out->y = share <= 0 ? q->b[1] : share >= 1 ? q->b[7] : xy[1];
    out->tangent_x = size > 0 ? sign * d[0] / size : 1;
    out->tangent_y = size > 0 ? sign * d[1] / size : 0;
}

static size_t parts_of(double length_m, double spacing_m) {
    double n = ceil(length_m / spacing_m);
    return n >= 1 ? (size_t)n : 1;
}

/* Sum from the curve's lesser end, so that the direction does not matter; *turned: that is the last point. */
static double sum_of(const struct curve *c, const double *lengths_m, bool *turned) {
    *turned = false;
    size_t n = curve_segments(c);
    for (size_t i = c->closed, k = c->count - 1; i < k; i++, k--) {
        const double *a = c->xy + 2 * i, *b = c->xy + 2 * k;
        if (a[0] != b[0] || a[1] != b[1]) {
            *turned = b[0] < a[0] || (b[0] == a[0] && b[1] < a[1]);
            break;
        }
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += lengths_m[*turned ? n - 1 - i : i];
    return sum;
}

size_t terrain_curve_sample_count(const struct curve *c, const double *lengths_m, double spacing_m,
                                  enum curve_sampling sampling) {
    bool turned;
    size_t n = c->closed ? 0 : 1;
    if (sampling == CURVE_EVEN)
        return n + parts_of(sum_of(c, lengths_m, &turned), spacing_m);
    for (size_t i = 0; i < curve_segments(c); i++)
        n += parts_of(lengths_m[i], spacing_m);
    return n;
}

static size_t sample_through(const struct curve *c, const double *lengths_m, double spacing_m,
                             struct curve_sample *out) {
    size_t at = 0, segments = curve_segments(c);
    double s = 0;
    for (size_t i = 0; i < segments; i++) {
        struct cubic q = cubic_of(c, i);
        size_t n = parts_of(lengths_m[i], spacing_m), last = i + 1 == segments && !c->closed;
        for (size_t k = 0; k < n + last; k++, at++) {
            double share = (double)k / (double)n;
            place(c, &q, lengths_m[i], q.turned ? (double)(n - k) / (double)n : share, &out[at]);
            out[at].segment = (uint32_t)i;
            out[at].share = share;
            out[at].s_m = s + share * lengths_m[i];
        }
        s += lengths_m[i];
    }
    return at;
}

static size_t sample_even(const struct curve *c, const double *lengths_m, double spacing_m,
                          struct curve_sample *out) {
    bool turned;
    size_t segments = curve_segments(c);
    double sum = sum_of(c, lengths_m, &turned);
    size_t n = parts_of(sum, spacing_m), i = 0;
    double before = 0; /* length of the segments before number i, from the lesser end */
    for (size_t k = 0; k < n + !c->closed; k++) {
        double s = sum * ((double)k / (double)n);
        size_t segment = turned ? segments - 1 - i : i;
        while (i + 1 < segments && s > before + lengths_m[segment]) {
            before += lengths_m[segment];
            i++;
            segment = turned ? segments - 1 - i : i;
        }
        double length = lengths_m[segment], share = length > 0 ? (s - before) / length : 0;
        share = k == n ? 1 : share < 1 ? share : 1;
        struct cubic q = cubic_of(c, segment);
        /* a closed curve's first sample is its first point, whichever way it is worked */
        size_t at = !turned ? k : c->closed ? (k ? n - k : 0) : n - k;
        place(c, &q, length, q.turned != turned ? 1 - share : share, &out[at]);
        out[at].segment = (uint32_t)segment;
        out[at].share = turned ? 1 - share : share;
        out[at].s_m = turned && !(c->closed && k == 0) ? sum - s : s;
    }
    return n + !c->closed;
}

size_t terrain_curve_sample(const struct curve *c, const double *lengths_m, double spacing_m,
                            enum curve_sampling sampling, struct curve_sample *samples) {
    return sampling == CURVE_EVEN ? sample_even(c, lengths_m, spacing_m, samples)
                                  : sample_through(c, lengths_m, spacing_m, samples);
}

double curve_attribute(const struct curve *c, const double *values, const struct curve_sample *sample) {
    size_t i = sample->segment, k = i + 1 < c->count ? i + 1 : 0;
    return values[i] + sample->share * (values[k] - values[i]);
}

struct curve_nearest terrain_chain_nearest(const double *xy, size_t count, bool closed, double x, double y) {
    struct curve_nearest best = {xy[0], xy[1], 0, 0, 0};
    double least = (x - xy[0]) * (x - xy[0]) + (y - xy[1]) * (y - xy[1]);
    for (size_t i = 0; i + 1 < count + (closed && count > 1); i++) {
        size_t k = i + 1 < count ? i + 1 : 0;
        struct segment s = {xy[2 * i], xy[2 * i + 1], xy[2 * k], xy[2 * k + 1]};
        double ax, ay, d2, share = terrain_segment_nearest(&s, x, y, &ax, &ay, &d2);
        if (d2 < least || (d2 == least && (ax < best.x || (ax == best.x && ay < best.y)))) {
            least = d2;
            best = (struct curve_nearest){ax, ay, 0, i, share};
        }
    }
    best.distance_m = sqrt(least);
    return best;
}
