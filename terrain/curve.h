/* Owns curves through points: centripetal Catmull-Rom (Yuksel, Schaefer & Keyser 2011: no cusps and no loops
 * within a segment, and the curve stays close to its points) or straight lines; their length, evenly spaced
 * samples, and the nearest point on a chain of straight segments. Two dimensions; heights are attributes.
 *
 * Segment i of a curve runs from point i to point i + 1 (to point 0 for the last segment of a closed curve).
 * An open curve leaves its first point, and reaches its last, along the chord. A point equal to its neighbour
 * makes a segment of no length, and both sides of it end as an open curve does.
 *
 * The same points given in the other direction make the same curve to the last bit; so do the samples of
 * CURVE_THROUGH and of CURVE_EVEN, in the other order with opposite tangents. (A closed curve: turned around
 * at the same first point. A sample on a point belongs to the segment behind it, but the last of an open
 * curve to the one before: its tangent is that segment's, which at a corner of straight lines is another one
 * for the other direction.) s_m and what curve_attribute gives agree up to rounding. */
#ifndef TERRAIN_CURVE_H
#define TERRAIN_CURVE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct curve {
    const double *xy; /* x0 y0 x1 y1 ...; finite */
    size_t count;     /* points, 2 or more */
    bool closed, smooth;
};

static inline size_t curve_segments(const struct curve *curve) {
    return curve->count - 1 + curve->closed;
}

/* The cubic Bezier of a segment: four control points, x and y each; the curve lies in their convex hull. */
void terrain_curve_bezier(const struct curve *curve, size_t segment, double control[8]);

/* Arc lengths of all segments (Gauss-Legendre, 16 x 3 points: at sharp turns steps are off by 1e-4 of their
 * length at most); returns the sum. lengths_m: curve_segments doubles. */
double terrain_curve_measure(const struct curve *curve, double *lengths_m);

enum curve_sampling {
    CURVE_THROUGH, /* every point is a sample; each segment is cut into equal parts of at most the spacing.
                      An edit changes only the two segments on each side of it */
    CURVE_EVEN     /* the whole curve is cut into equal parts of at most the spacing */
};
struct curve_sample {
    double x, y;
    double tangent_x, tangent_y; /* unit vector; of a segment of no length (1, 0) */
    double s_m;                  /* along the curve from its first point */
    uint32_t segment;
    double share; /* of the segment's length, 0..1 */
};
/* How many samples there will be: both ends of an open curve; a closed one's first point once. At most
 * sum / spacing_m + segments + 1. spacing_m > 0. */
size_t terrain_curve_sample_count(const struct curve *curve, const double *lengths_m, double spacing_m,
                                  enum curve_sampling sampling);
/* Fills `samples` with as many; returns the count. */
size_t terrain_curve_sample(const struct curve *curve, const double *lengths_m, double spacing_m,
                            enum curve_sampling sampling, struct curve_sample *samples);

/* An attribute with one value for each point, at a sample: linear in the segment's arc length. */
double curve_attribute(const struct curve *curve, const double *values, const struct curve_sample *sample);

struct curve_nearest {
    double x, y, distance_m;
    size_t segment;
    double share; /* of the way from point `segment` to the next */
};
/* The point of the straight chain nearest to (x, y); of equally near ones that with the least x, then y, then
 * segment. count >= 1. Looks at every segment; for many questions use terrain/segment_grid.h. */
struct curve_nearest terrain_chain_nearest(const double *xy, size_t count, bool closed, double x, double y);

#endif
