#include "cliff/strata.h"

#include "terrain/hash.h"
#include "terrain/math.h"

#include <math.h>

enum { SALT_BORDER = 0x51a7a001, SALT_KIND, SALT_BED, SALT_LOOK };

/* Shares of kinds: more massive rock than in nature reads calmer from far away. */
static const float share_massive = 0.55f, share_bedded = 0.25f;
/* How often a massive package takes in the next cell. */
static const float goes_on = 0.5f;
enum { MERGED = 4 };

struct strata_frame strata_frame_of(double dip_deg, double direction_deg) {
    double dip = dip_deg * MATH_RAD, to = direction_deg * MATH_RAD, sine = math_sin(dip);
    return (struct strata_frame){sine * math_sin(to), sine * math_cos(to), math_cos(dip)};
}

static float draw(uint64_t seed, uint64_t salt, int32_t group, int32_t package, uint32_t k) {
    return hash_unit(hash_place(seed, salt, group, package, k));
}

static uint8_t kind_of(uint64_t seed, int32_t group, int32_t i) {
    float u = draw(seed, SALT_KIND, group, i, 0);
    return u < share_massive                  ? STRATA_MASSIVE
           : u < share_massive + share_bedded ? STRATA_BEDDED
                                              : STRATA_SHALY;
}

/* Whether a package begins with cell i. Massive ones may go on over the next cells, up to MERGED in all. */
static bool begins(uint64_t seed, int32_t group, int32_t i) {
    return (i & (MERGED - 1)) == 0 || kind_of(seed, group, i - 1) != STRATA_MASSIVE ||
           draw(seed, SALT_KIND, group, i, 1) >= goes_on;
}

/* Where cell i begins. */
static double border(uint64_t seed, int32_t group, int32_t i) {
    return STRATA_PACKAGE_M * (i + 0.7 * ((double)draw(seed, SALT_BORDER, group, i, 0) - 0.5));
}

struct package {
    double s0, s1;
    int32_t index, next; /* its first cell, and the next package's */
    int32_t count;
    uint8_t kind;
};

/* The package that begins with a cell. */
static struct package package_of(uint64_t seed, int32_t group, int32_t index) {
    static const double thickness_m[] = {4.4, 1.75, 0.95};
    static const int32_t least[] = {1, 2, 3}, most[] = {6, 7, STRATA_BEDS_MAX};
    uint8_t kind = kind_of(seed, group, index);
    int32_t next = index + 1;
    while (!begins(seed, group, next))
        next++;
    struct package p = {border(seed, group, index), border(seed, group, next), index, next, 0, kind};
    double n = floor((p.s1 - p.s0) / thickness_m[kind] + 0.5);
    p.count = n < least[kind] ? least[kind] : n > most[kind] ? most[kind] : (int32_t)n;
    return p;
}

static double bed_border(uint64_t seed, int32_t group, const struct package *p, int32_t j) {
    if (j <= 0 || j >= p->count)
        return j <= 0 ? p->s0 : p->s1;
    double moved = j + 0.8 * ((double)draw(seed, SALT_BED, group, p->index, (uint32_t)j) - 0.5);
    return p->s0 + (p->s1 - p->s0) * moved / p->count;
}

static struct strata_bed bed_of(uint64_t seed, int32_t group, const struct package *p, int32_t j) {
    struct strata_bed bed = {.s0 = bed_border(seed, group, p, j),
                             .s1 = bed_border(seed, group, p, j + 1),
                             .p0 = p->s0,
                             .p1 = p->s1,
                             .package = p->index,
                             .number = (uint8_t)j,
                             .kind = p->kind,
                             .group = (uint8_t)group};
    uint32_t place = ((uint32_t)p->index * STRATA_BEDS_MAX + (uint32_t)j) * STRATA_GROUPS + (uint32_t)group;
    bed.id = (uint16_t)(4 * (place % 16383u) + 1 + p->kind);
    for (uint32_t k = 0; k < 4; k++)
        bed.unit[k] = draw(seed, SALT_LOOK, group, p->index, (uint32_t)j * 4 + k);
    return bed;
}

static int32_t package_at(uint64_t seed, int32_t group, double s) {
    int32_t i = (int32_t)floor(s / STRATA_PACKAGE_M);
    while (s < border(seed, group, i))
        i--;
    while (s >= border(seed, group, i + 1))
        i++;
    while (!begins(seed, group, i))
        i--;
    return i;
}

struct strata_bed strata_bed_at(uint64_t seed, int32_t group, double s) {
    struct package p = package_of(seed, group, package_at(seed, group, s));
    int32_t j = 0;
    while (j + 1 < p.count && s >= bed_border(seed, group, &p, j + 1))
        j++;
    return bed_of(seed, group, &p, j);
}

bool strata_table_make(uint64_t seed, int32_t group, double s_lo, double s_hi, struct arena *scratch,
                       struct strata_table *table) {
    int32_t from = package_at(seed, group, s_lo), to = package_at(seed, group, s_hi);
    *table = (struct strata_table){.s_lo = s_lo, .bins = (int32_t)ceil((s_hi - s_lo) / STRATA_BIN_M) + 1};
    for (int32_t i = from; i <= to;) {
        struct package p = package_of(seed, group, i);
        table->count += p.count;
        i = p.next;
    }
    table->beds = arena_alloc(scratch, (size_t)table->count, sizeof *table->beds);
    table->first = arena_alloc(scratch, (size_t)table->bins, sizeof *table->first);
    if (!table->beds || !table->first)
        return false;
    int32_t at = 0;
    for (int32_t i = from; i <= to;) {
        struct package p = package_of(seed, group, i);
        i = p.next;
        for (int32_t j = 0; j < p.count; j++)
            table->beds[at++] = bed_of(seed, group, &p, j);
    }
    at = 0;
    for (int32_t b = 0; b < table->bins; b++) {
        while (at + 1 < table->count && s_lo + b * STRATA_BIN_M >= table->beds[at].s1)
            at++;
        table->first[b] = at;
    }
    return true;
}
