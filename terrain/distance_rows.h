/* The second pass of terrain/distance.c, along rows; that file includes this one once for each integer type
 * that squares may need: DISTANCE_T, and DISTANCE_NAME(x), which names x for the type. No include guard.
 *
 * In half cells, a cell of the other kind d columns and k rows away is at squared distance g(d) + g(k), with
 * g(0) = 0 and g(n) = (2 n - 1)^2. The first pass found each cell's k in its own column. What is left is, for
 * each cell, the least of value(x') + g(|x - x'|) over the row: g is convex, so it can be done in steps to
 * the neighbours that cost g(1) - g(0), g(2) - g(1), ... each: 1, 8, 16, 24 ... Steps that lead through cells
 * of the other kind do no harm: the distance to the first of them along the row is in the values beforehand,
 * and it is shorter. */

struct DISTANCE_NAME(rows) {
    int32_t width, reach;   /* of the window */
    DISTANCE_T far;         /* g(reach + 1), stands for "not within reach" */
    DISTANCE_T *g;          /* [width + 1] rising; far beyond the reach */
    DISTANCE_T *g_back;     /* [width + 1] the same, from behind */
    DISTANCE_T *now, *next; /* [4 + width + 4], far at both ends */
};

/* Returns the least of them. */
TERRAIN_CLONES static DISTANCE_T DISTANCE_NAME(squares)(const uint16_t *k, int32_t n,
                                                        DISTANCE_T *restrict out) {
    DISTANCE_T least = (DISTANCE_T)-1;
    for (int32_t x = 0; x < n; x++) {
        uint32_t v = 2u * k[x] - 1u;
        out[x] = (DISTANCE_T)(v * v);
        least = out[x] < least ? out[x] : least;
    }
    return least;
}

/* v = min(v, walls), along a run of n cells: up from its start, or down to its end. */
TERRAIN_CLONES static void DISTANCE_NAME(lower)(DISTANCE_T *restrict v, const DISTANCE_T *wall, int32_t n) {
    for (int32_t x = 0; x < n; x++)
        v[x] = wall[x] < v[x] ? wall[x] : v[x];
}

/* Four steps at once: to a neighbour d away for the d cheapest of their costs. Zero when they changed
 * nothing: then no later, dearer step will. */
TERRAIN_CLONES static int DISTANCE_NAME(steps)(const DISTANCE_T *now, const DISTANCE_T cost[4], int32_t n,
                                               DISTANCE_T *restrict next) {
    const DISTANCE_T c1 = cost[0], c2 = cost[1], c3 = cost[2], c4 = cost[3];
    DISTANCE_T changed = 0;
#define NEAR(d, c) (DISTANCE_T)((now[x - (d)] < now[x + (d)] ? now[x - (d)] : now[x + (d)]) + (c))
    for (int32_t x = 0; x < n; x++) {
        DISTANCE_T one = NEAR(1, c1), two = NEAR(2, c2), three = NEAR(3, c3), four = NEAR(4, c4);
        one = two < one ? two : one;
        three = four < three ? four : three;
        one = three < one ? three : one;
        one = one < now[x] ? one : now[x];
        changed = (DISTANCE_T)(changed | (one ^ now[x]));
        next[x] = one;
    }
#undef NEAR
    return changed != 0;
}

static bool DISTANCE_NAME(take)(struct DISTANCE_NAME(rows) * r, int32_t width, int32_t reach,
                                struct arena *arena) {
    size_t n = (size_t)width + 8;
    r->width = width;
    r->reach = reach;
    r->far = (DISTANCE_T)((2 * reach + 1) * (2 * reach + 1));
    r->g = arena_alloc(arena, n, sizeof *r->g);
    r->g_back = arena_alloc(arena, n, sizeof *r->g);
    r->now = arena_alloc(arena, n, sizeof *r->now);
    r->next = arena_alloc(arena, n, sizeof *r->next);
    if (!r->g || !r->g_back || !r->now || !r->next)
        return false;
    for (int32_t d = 0; d <= width; d++) {
        int32_t half = 2 * (d <= reach ? d : reach + 1) - 1;
        r->g[d] = r->g_back[width - d] = (DISTANCE_T)(d ? half * half : 0);
    }
    for (int i = 0; i < 4; i++)
        r->now[i] = r->next[i] = r->now[width + 4 + i] = r->next[width + 4 + i] = r->far;
    return true;
}

/* Puts in distances along the row to where the kind of cell changes. False: it does not. */
static bool DISTANCE_NAME(walls)(const struct DISTANCE_NAME(rows) * r, const uint8_t *mask, DISTANCE_T *v) {
    int32_t to = run_end(mask, 0, r->width);
    if (to == r->width)
        return false;
    for (int32_t from = 0; from < r->width; from = to) {
        to = run_end(mask, from, r->width);
        int32_t n = to - from < r->reach ? to - from : r->reach;
        if (from > 0)
            DISTANCE_NAME(lower)(v + from, r->g + 1, n);
        if (to < r->width)
            DISTANCE_NAME(lower)(v + to - n, r->g_back + r->width - n, n);
    }
    return true;
}

/* Squared distances of columns first .. first + n - 1 of one row of the window; k: rows to the nearest cell
 * of the other kind in the column, reach + 1 when farther. NULL: nothing within reach. */
static const DISTANCE_T *DISTANCE_NAME(solve)(struct DISTANCE_NAME(rows) * r, const uint8_t *mask,
                                              const uint16_t *k, int32_t first, int32_t n) {
    DISTANCE_T *now = r->now + 4, *next = r->next + 4, cost[4];
    DISTANCE_T least = DISTANCE_NAME(squares)(k, r->width, now);
    int32_t rounds_reach = (r->reach + 3) / 4 * 4;
    for (int32_t i = 0, changed = least < r->far; changed && i < rounds_reach; i += 4) {
        int32_t side = rounds_reach - i - 4; /* what later steps will look at */
        int32_t from = first > side ? first - side : 0;
        int32_t to = r->width - first - n > side ? first + n + side : r->width;
        for (int32_t d = 1, sum = 0; d <= 4; d++) {
            sum += i + d > 1 ? 8 * (i + d - 1) : 1;
            cost[d - 1] = (DISTANCE_T)sum;
        }
        changed = DISTANCE_NAME(steps)(now + from, cost, to - from, next + from);
        DISTANCE_T *swap = now;
        now = next;
        next = swap;
    }
    bool any = DISTANCE_NAME(walls)(r, mask, now);
    return any || least < r->far ? now + first : NULL;
}
