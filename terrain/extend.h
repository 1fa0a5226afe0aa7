/* Owns how samples go on beyond a border: in a straight line through the last two, as docs/decisions/0024 has
 * it; level where there is one, or where one of them is void (NaN). */
#ifndef TERRAIN_EXTEND_H
#define TERRAIN_EXTEND_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* `steps` beyond `last`, the sample before it `before`. */
static inline float terrain_straight_on(float last, float before, int32_t steps) {
    return isnan(before) ? last : last + (float)steps * (last - before);
}

/* Continues the samples [first, last] of a line of `count`, `step` apart, to both of its ends; more than
 * `most` steps out it is level. */
static inline void terrain_extend_line(float *line, ptrdiff_t step, int32_t first, int32_t last,
                                       int32_t count, int32_t most) {
    ptrdiff_t in = last > first ? step : 0;
    const float *low = line + first * step, *high = line + last * step;
    for (int32_t i = 0; i < first; i++)
        line[i * step] = terrain_straight_on(low[0], low[in], first - i < most ? first - i : most);
    for (int32_t i = last + 1; i < count; i++)
        line[i * step] = terrain_straight_on(high[0], *(high - in), i - last < most ? i - last : most);
}

#endif
