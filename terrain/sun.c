#include "terrain/sun.h"
#include "terrain/horizon.h"
#include "terrain/math.h"
#include <assert.h>
#include <math.h>
#include <string.h>

enum { DIRECTIONS_MAX = 32, TILT_MAX = 85 };
static const double obliquity_rad = 23.4393 * MATH_RAD;
static const double air = 0.35667494393873238; /* -ln 0.7 */

/* What a day and the latitude fix: a beam is linear in the cosine and sine of the hour angle. */
struct day {
    double up, up_cos, north, north_cos, east_sin;
};

/* Days at 1/4 past equal steps: with 0 or 1/2, spring would repeat autumn. */
static struct day day_of(double latitude_rad, int32_t day) {
    double longitude = 2 * MATH_PI * (day + 0.25) / SUN_DAYS;
    double sine = math_sin(obliquity_rad) * math_sin(longitude), cosine = sqrt(1 - sine * sine);
    double sin_latitude = math_sin(latitude_rad), cos_latitude = math_cos(latitude_rad);
    return (struct day){.up = sin_latitude * sine,
                        .up_cos = cos_latitude * cosine,
                        .north = cos_latitude * sine,
                        .north_cos = -sin_latitude * cosine,
                        .east_sin = -cosine};
}
static double hour_angle(int32_t hour) {
    return MATH_PI * (hour + 0.5) / SUN_HALF_DAY;
}
/* False, and no light: the sun is down. */
static bool beam_of(const struct day *d, double hour_cos, double hour_sin, double beam[3]) {
    beam[0] = d->east_sin * hour_sin;
    beam[1] = d->north + d->north_cos * hour_cos;
    beam[2] = d->up + d->up_cos * hour_cos;
    double through = beam[2] > 0 ? math_exp(-air / beam[2]) : 0;
    for (int32_t i = 0; i < 3; i++)
        beam[i] *= through;
    return through > 0;
}

struct sun_beam sun_at(double latitude_rad, int32_t day, int32_t hour) {
    struct day d = day_of(latitude_rad, day);
    double beam[3];
    beam_of(&d, math_cos(hour_angle(hour)), math_sin(hour_angle(hour)), beam);
    return (struct sun_beam){(float)beam[0], (float)beam[1], (float)beam[2], 0};
}

size_t sun_scratch(int32_t directions) {
    return arena_need((size_t)directions * SUN_STEPS, sizeof(struct sun_beam));
}

static void add(struct sun_beam *to, const double beam[3], double share) {
    to->east += (float)(share * beam[0]);
    to->north += (float)(share * beam[1]);
    to->up += (float)(share * beam[2]);
}
/* Puts a beam into the two directions beside its azimuth. One from so low that its square is no number any
 * more is nothing to the sums, and has no elevation that could be told. */
static void put(struct sun_table *t, const double beam[3]) {
    double level = sqrt(beam[0] * beam[0] + beam[1] * beam[1]);
    if (level + beam[2] < 1e-30)
        return;
    int32_t step = (int32_t)(SUN_STEPS * (beam[2] / (beam[2] + level)));
    step = step < SUN_STEPS ? step : SUN_STEPS - 1;
    double turn = math_atan2(beam[0], beam[1]) / (2 * MATH_PI) * t->directions;
    double whole = floor(turn), share = turn - whole;
    int32_t d = (int32_t)whole & (t->directions - 1), e = (d + 1) & (t->directions - 1);
    add(&t->beams[(ptrdiff_t)d * SUN_STEPS + step], beam, 1 - share);
    add(&t->beams[(ptrdiff_t)e * SUN_STEPS + step], beam, share);
}

/* Sums from the zenith down; a step counts half of its own. */
static void sum_down(struct sun_beam *beams) {
    double above[3] = {0, 0, 0};
    for (int32_t s = SUN_STEPS - 1; s >= 0; s--) {
        double own[3] = {(double)beams[s].east, (double)beams[s].north, (double)beams[s].up};
        beams[s] = (struct sun_beam){(float)(above[0] + 0.5 * own[0]), (float)(above[1] + 0.5 * own[1]),
                                     (float)(above[2] + 0.5 * own[2]), 0};
        for (int32_t i = 0; i < 3; i++)
            above[i] += own[i];
    }
}

/* What an open plane gets whose normal leans north by tilt. */
static double open_plane(const struct sun_table *t, double tilt_rad) {
    double lean = math_sin(tilt_rad), up = math_cos(tilt_rad), sum = 0;
    for (int32_t d = 0; d < t->directions; d++) {
        double east, north;
        horizon_direction(d, t->directions, &east, &north);
        double rise = -north * lean / up;
        const struct sun_beam *b = &t->beams[(ptrdiff_t)d * SUN_STEPS + sun_step(rise > 0 ? (float)rise : 0)];
        double light = lean * (double)b->north + up * (double)b->up;
        sum += light > 0 ? light : 0;
    }
    return sum;
}

bool sun_prepare(struct sun_table *table, double latitude_rad, int32_t directions, struct arena *arena) {
    assert(directions == 16 || directions == DIRECTIONS_MAX);
    size_t count = (size_t)directions * SUN_STEPS;
    *table = (struct sun_table){directions, arena_alloc(arena, count, sizeof(struct sun_beam))};
    if (!table->beams)
        return false;
    memset(table->beams, 0, count * sizeof(struct sun_beam));
    struct day days[SUN_DAYS];
    for (int32_t day = 0; day < SUN_DAYS; day++)
        days[day] = day_of(latitude_rad, day);
    for (int32_t hour = 0; hour < SUN_HALF_DAY; hour++) {
        double hour_cos = math_cos(hour_angle(hour)), hour_sin = math_sin(hour_angle(hour));
        for (int32_t day = 0; day < SUN_DAYS; day++) {
            double beam[3];
            if (!beam_of(&days[day], hour_cos, hour_sin, beam))
                continue;
            put(table, beam);
            beam[0] = -beam[0];
            put(table, beam);
        }
    }
    for (int32_t d = 0; d < directions; d++)
        sum_down(table->beams + (ptrdiff_t)d * SUN_STEPS);
    double best = 0;
    for (int32_t tilt = -TILT_MAX; tilt <= TILT_MAX; tilt++) {
        double light = open_plane(table, tilt * MATH_RAD);
        best = light > best ? light : best;
    }
    for (size_t i = 0; i < count; i++) {
        struct sun_beam *b = &table->beams[i];
        b->east = (float)((double)b->east / best);
        b->north = (float)((double)b->north / best);
        b->up = (float)((double)b->up / best);
    }
    return true;
}
