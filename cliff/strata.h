/* Owns how rock is bedded: packages of beds, massive, bedded or shaly, along a bedding direction. A pure
 * function of place and seed: beds run through sectors, maps and both sides of a valley. Knows nothing of the
 * ground.
 *
 * The bed coordinate s is the distance along the bedding's normal, in metres (whoever calls adds folds to
 * it). Packages are world-aligned cells of STRATA_PACKAGE_M in s whose borders are moved by a hash, massive
 * ones up to four of them; a package's kind and number of beds are hashes too, and its beds are jittered
 * parts of it. */
#ifndef CLIFF_STRATA_H
#define CLIFF_STRATA_H
#include "terrain/arena.h"
#include <stdbool.h>
#include <stdint.h>

enum strata_kind { STRATA_MASSIVE, STRATA_BEDDED, STRATA_SHALY };
enum { STRATA_GROUPS = 2, STRATA_PRESETS = 4, STRATA_BEDS_MAX = 12 /* of a package */ };
static const double STRATA_PACKAGE_M = 8.0;

/* Unit normal of the bedding planes, z > 0: s = x * east + y * north + z * up. */
struct strata_frame {
    double x, y, z;
};
/* dip_deg: 0 (level) .. 75; direction_deg: where beds go down to, clockwise from north. */
struct strata_frame strata_frame_of(double dip_deg, double direction_deg);

struct strata_bed {
    double s0, s1;   /* [m] underside and top */
    double p0, p1;   /* [m] the package's */
    int32_t package; /* its first cell */
    uint8_t number;  /* in the package, from below */
    uint8_t kind;    /* enum strata_kind */
    uint8_t group;   /* 0..STRATA_GROUPS - 1: which of the cuts */
    uint16_t id;     /* 1..65531, 4 n + 1 + kind: differs between the beds of 5 km of rock */
    float unit[4];   /* 0 <= u < 1: draws for whoever gives the bed a look */
};

/* The bed at s, found without a table. |s| <= 1e6. */
struct strata_bed strata_bed_at(uint64_t seed, int32_t group, double s);

/* All beds of a group that touch s_lo..s_hi, in order without gaps, and bins to find them. */
struct strata_table {
    struct strata_bed *beds;
    int32_t count;
    double s_lo;    /* of bin 0 */
    int32_t *first; /* by bin: the bed at the bin's lower end */
    int32_t bins;
};
static const double STRATA_BIN_M = 0.5;

/* False: scratch is too small. s_lo < s_hi. */
bool strata_table_make(uint64_t seed, int32_t group, double s_lo, double s_hi, struct arena *scratch,
                       struct strata_table *table);
/* Index of the bed at s, which lies in the table's range (beyond it: the first or last). */
static inline int32_t strata_find(const struct strata_table *t, double s) {
    double bin = (s - t->s_lo) * (1.0 / STRATA_BIN_M);
    int32_t b = bin <= 0 ? 0 : bin >= t->bins - 1 ? t->bins - 1 : (int32_t)bin;
    int32_t i = t->first[b];
    while (i + 1 < t->count && s >= t->beds[i].s1)
        i++;
    return i;
}

#endif
