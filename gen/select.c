#include "gen/select.h"

#include "terrain/math.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t index_of(const struct selection *s, int32_t x, int32_t y) {
    return (size_t)(y - s->sectors.y0) * (size_t)(s->sectors.x1 - s->sectors.x0) +
           (size_t)(x - s->sectors.x0);
}

enum status select_init(const struct extent *extent, struct selection *selection, struct error *err) {
    memset(selection, 0, sizeof *selection);
    selection->extent = *extent;
    selection->sectors = rect_blocks(extent->cells, SECTOR_CELLS);
    size_t width = (size_t)(selection->sectors.x1 - selection->sectors.x0);
    size_t height = (size_t)(selection->sectors.y1 - selection->sectors.y0);
    selection->chosen = calloc(width, height * sizeof(bool));
    return selection->chosen ? STATUS_OK : error_set(err, STATUS_LIMIT, "out of memory");
}

void select_free(struct selection *selection) {
    free(selection->chosen);
    selection->chosen = NULL;
}

static bool inside(const struct selection *s, int32_t x, int32_t y) {
    return x >= s->sectors.x0 && x < s->sectors.x1 && y >= s->sectors.y0 && y < s->sectors.y1;
}

bool select_has(const struct selection *selection, int32_t sector_x, int32_t sector_y) {
    return inside(selection, sector_x, sector_y) &&
           selection->chosen[index_of(selection, sector_x, sector_y)];
}

bool select_has_all(const struct selection *selection, struct rect cells) {
    struct rect r = rect_blocks(rect_intersect(cells, selection->extent.cells), SECTOR_CELLS);
    for (int32_t y = r.y0; y < r.y1; y++)
        for (int32_t x = r.x0; x < r.x1; x++)
            if (!select_has(selection, x, y))
                return false;
    return true;
}

static void choose(struct selection *s, int32_t x, int32_t y) {
    bool *at = &s->chosen[index_of(s, x, y)];
    s->count += !*at;
    *at = true;
}

static void choose_rect(struct selection *s, struct rect r) {
    r = rect_intersect(r, s->sectors);
    for (int32_t y = r.y0; y < r.y1; y++)
        for (int32_t x = r.x0; x < r.x1; x++)
            choose(s, x, y);
}

void select_all(struct selection *selection) {
    choose_rect(selection, selection->sectors);
}

static enum status outside(const struct selection *s, const char *what, int32_t block, int32_t x, int32_t y,
                           struct error *err) {
    struct rect all = rect_blocks(s->extent.cells, block);
    return error_set(err, STATUS_USAGE, "%s %d,%d is outside the world, which has %d,%d to %d,%d", what, x, y,
                     all.x0, all.y0, all.x1 - 1, all.y1 - 1);
}

enum status select_block(struct selection *selection, const char *what, int32_t block, int32_t x, int32_t y,
                         struct error *err) {
    struct rect all = rect_blocks(selection->extent.cells, block);
    if (x < all.x0 || x >= all.x1 || y < all.y0 || y >= all.y1)
        return outside(selection, what, block, x, y, err);
    int32_t n = block / SECTOR_CELLS;
    choose_rect(selection, (struct rect){x * n, y * n, (x + 1) * n, (y + 1) * n});
    return STATUS_OK;
}

enum status select_range(struct selection *selection, int32_t x0, int32_t y0, int32_t x1, int32_t y1,
                         struct error *err) {
    struct rect r = {x0 < x1 ? x0 : x1, y0 < y1 ? y0 : y1, x0 < x1 ? x1 : x0, y0 < y1 ? y1 : y0};
    if (r.x1 < selection->sectors.x0 || r.y1 < selection->sectors.y0 || r.x0 >= selection->sectors.x1 ||
        r.y0 >= selection->sectors.y1)
        return outside(selection, "sector", SECTOR_CELLS, x0, y0, err);
    if (r.x1 < INT32_MAX)
        r.x1++;
    if (r.y1 < INT32_MAX)
        r.y1++;
    struct rect all = selection->sectors;
    selection->cut |= r.x0 < all.x0 || r.y0 < all.y0 || r.x1 > all.x1 || r.y1 > all.y1;
    choose_rect(selection, r);
    return STATUS_OK;
}

static enum status place_outside(const struct selection *s, double x_m, double y_m, struct error *err) {
    double c = s->extent.cell_m;
    return error_set(err, STATUS_USAGE, "%g,%g m is outside the world, which spans %g,%g to %g,%g m", x_m,
                     y_m, s->extent.cells.x0 * c, s->extent.cells.y0 * c, s->extent.cells.x1 * c,
                     s->extent.cells.y1 * c);
}

enum status select_at(struct selection *selection, double x_m, double y_m, struct error *err) {
    double c = selection->extent.cell_m;
    struct rect cells = selection->extent.cells;
    if (!(x_m >= cells.x0 * c && x_m <= cells.x1 * c && y_m >= cells.y0 * c && y_m <= cells.y1 * c))
        return place_outside(selection, x_m, y_m, err);
    int32_t x = (int32_t)floor(x_m / c), y = (int32_t)floor(y_m / c);
    x = x < cells.x1 ? x : cells.x1 - 1; /* on the world's border: the last cell */
    y = y < cells.y1 ? y : cells.y1 - 1;
    choose(selection, floor_div(x, SECTOR_CELLS), floor_div(y, SECTOR_CELLS));
    return STATUS_OK;
}

/* The sector's part of the world in metres. */
static void sector_box(const struct selection *s, int32_t x, int32_t y, double box[4]) {
    struct rect r = extent_block(&s->extent, x, y, SECTOR_CELLS);
    double c = s->extent.cell_m;
    box[0] = r.x0 * c;
    box[1] = r.y0 * c;
    box[2] = r.x1 * c;
    box[3] = r.y1 * c;
}

enum status select_around(struct selection *selection, double x_m, double y_m, double radius_m,
                          struct error *err) {
    size_t hits = 0;
    if (!(radius_m >= 0.0))
        return error_set(err, STATUS_USAGE, "a radius of %g m: it must be 0 or more", radius_m);
    for (int32_t y = selection->sectors.y0; y < selection->sectors.y1; y++)
        for (int32_t x = selection->sectors.x0; x < selection->sectors.x1; x++) {
            double b[4];
            sector_box(selection, x, y, b);
            double dx = x_m < b[0] ? b[0] - x_m : x_m > b[2] ? x_m - b[2] : 0.0;
            double dy = y_m < b[1] ? b[1] - y_m : y_m > b[3] ? y_m - b[3] : 0.0;
            if (dx * dx + dy * dy <= radius_m * radius_m) {
                choose(selection, x, y);
                hits++;
            }
        }
    return hits ? STATUS_OK : place_outside(selection, x_m, y_m, err);
}

void select_shard(struct selection *selection, int32_t index, int32_t count) {
    struct rect maps = rect_blocks(selection->extent.cells, MAP_CELLS);
    int64_t number = 0;
    for (int32_t my = maps.y0; my < maps.y1; my++)
        for (int32_t mx = maps.x0; mx < maps.x1; mx++) {
            struct rect cells = extent_block(&selection->extent, mx, my, MAP_CELLS);
            struct rect r = rect_blocks(cells, SECTOR_CELLS);
            bool any = false, mine = number % count == index;
            for (int32_t y = r.y0; y < r.y1; y++)
                for (int32_t x = r.x0; x < r.x1; x++) {
                    bool *at = &selection->chosen[index_of(selection, x, y)];
                    any |= *at;
                    if (*at && !mine) {
                        *at = false;
                        selection->count--;
                    }
                }
            number += any;
        }
}

/* ---- the view ---- */

struct point {
    double x, y;
};

static double cross(struct point o, struct point a, struct point b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

static int by_place(const void *a, const void *b) {
    const struct point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Andrew's monotone chain; hull gets up to n + 1 points, counter-clockwise. */
static int convex_hull(struct point *points, int n, struct point *hull) {
    qsort(points, (size_t)n, sizeof *points, by_place);
    int k = 0;
    for (int i = 0; i < n; i++) {
        while (k >= 2 && cross(hull[k - 2], hull[k - 1], points[i]) <= 0)
            k--;
        hull[k++] = points[i];
    }
    for (int i = n - 2, low = k + 1; i >= 0; i--) {
        while (k >= low && cross(hull[k - 2], hull[k - 1], points[i]) <= 0)
            k--;
        hull[k++] = points[i];
    }
    return k > 1 ? k - 1 : k;
}

/* Separating axes: the box's sides and the hull's edges. */
static bool hull_touches(const struct point *hull, int n, const double box[4]) {
    double x0 = DBL_MAX, y0 = DBL_MAX, x1 = -DBL_MAX, y1 = -DBL_MAX;
    for (int i = 0; i < n; i++) {
        x0 = hull[i].x < x0 ? hull[i].x : x0;
        y0 = hull[i].y < y0 ? hull[i].y : y0;
        x1 = hull[i].x > x1 ? hull[i].x : x1;
        y1 = hull[i].y > y1 ? hull[i].y : y1;
    }
    if (x1 < box[0] || x0 > box[2] || y1 < box[1] || y0 > box[3])
        return false;
    const struct point corners[4] = {{box[0], box[1]}, {box[2], box[1]}, {box[2], box[3]}, {box[0], box[3]}};
    for (int i = 0; n > 2 && i < n; i++) {
        bool apart = true;
        for (int k = 0; k < 4 && apart; k++)
            apart = cross(hull[i], hull[(i + 1) % n], corners[k]) < 0;
        if (apart)
            return false;
    }
    return true;
}

#define VIEW_MAX_M 1e7 /* keeps the cross products of the plan exact enough and finite */

static void cross3(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static bool normalise(double v[3]) {
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(length > 1e-12) || !isfinite(length))
        return false;
    for (int i = 0; i < 3; i++)
        v[i] /= length;
    return true;
}

enum status select_frustum(struct selection *selection, const double eye[3], const double direction[3],
                           double fov_deg, double far_m, double aspect, struct error *err) {
    double d[3] = {direction[0], direction[1], direction[2]}, right[3], up[3];
    const double sky[3] = {0, 0, 1}, north[3] = {0, 1, 0};
    if (!normalise(d))
        return error_set(err, STATUS_USAGE, "the view's direction has no length");
    if (!(fov_deg >= 0.1 && fov_deg <= 179.0 && far_m > 0.0 && far_m <= VIEW_MAX_M && aspect >= 0.001 &&
          aspect <= 1000.0))
        return error_set(err, STATUS_USAGE,
                         "a view needs FOV 0.1..179 degrees, FAR up to 1e7 m and ASPECT 0.001..1000");
    if (!(fabs(eye[0]) <= VIEW_MAX_M && fabs(eye[1]) <= VIEW_MAX_M))
        return error_set(err, STATUS_USAGE, "the view's eye is more than 1e7 m from the origin");
    cross3(d, sky, right);
    if (!normalise(right)) { /* straight up or down */
        cross3(d, north, right);
        normalise(right);
    }
    cross3(right, d, up);
    double half = fov_deg * (MATH_PI / 360.0);
    double tall = math_sin(half) / math_cos(half) * far_m, wide = tall * aspect;
    struct point points[5] = {{eye[0], eye[1]}}, hull[8];
    for (int i = 0; i < 4; i++) {
        double a = i & 1 ? wide : -wide, b = i & 2 ? tall : -tall;
        points[i + 1].x = eye[0] + d[0] * far_m + right[0] * a + up[0] * b;
        points[i + 1].y = eye[1] + d[1] * far_m + right[1] * a + up[1] * b;
    }
    int n = convex_hull(points, 5, hull);
    size_t hits = 0;
    for (int32_t y = selection->sectors.y0; y < selection->sectors.y1; y++)
        for (int32_t x = selection->sectors.x0; x < selection->sectors.x1; x++) {
            double box[4];
            sector_box(selection, x, y, box);
            if (hull_touches(hull, n, box)) {
                choose(selection, x, y);
                hits++;
            }
        }
    return hits ? STATUS_OK : error_set(err, STATUS_USAGE, "the view shows nothing of the world");
}

/* ---- text ---- */

bool select_parse_numbers(const char *text, double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char *end;
        if (*text == ' ' || *text == '\t')
            return false;
        errno = 0;
        numbers[i] = strtod(text, &end);
        if (end == text || errno != 0 || !isfinite(numbers[i]) || *end != (i + 1 < count ? ',' : '\0'))
            return false;
        text = end + 1;
    }
    return true;
}

static bool parse_int(const char *text, const char **end, int32_t *out) {
    char *stop;
    errno = 0;
    if (*text != '-' && (*text < '0' || *text > '9'))
        return false;
    long v = strtol(text, &stop, 10);
    if (stop == text || errno != 0 || v < INT32_MIN / 64 || v > INT32_MAX / 64)
        return false;
    *end = stop;
    *out = (int32_t)v;
    return true;
}

static bool parse_pair_head(const char *text, const char **end, int32_t *x, int32_t *y) {
    return parse_int(text, end, x) && **end == ',' && parse_int(*end + 1, end, y);
}

bool select_parse_pair(const char *text, int32_t *x, int32_t *y) {
    const char *end;
    return parse_pair_head(text, &end, x, y) && *end == '\0';
}

enum status select_parse_sectors(struct selection *selection, const char *text, struct error *err) {
    int32_t x0, y0, x1, y1;
    const char *end;
    if (!parse_pair_head(text, &end, &x0, &y0))
        return error_set(err, STATUS_USAGE, "'%s' is no sector: write X,Y or X,Y..X,Y", text);
    if (*end == '\0')
        return select_block(selection, "sector", SECTOR_CELLS, x0, y0, err);
    if (strncmp(end, "..", 2) != 0 || !parse_pair_head(end + 2, &end, &x1, &y1) || *end != '\0')
        return error_set(err, STATUS_USAGE, "'%s' is no sector: write X,Y or X,Y..X,Y", text);
    return select_range(selection, x0, y0, x1, y1, err);
}

enum status select_parse_lines(struct selection *selection, const char *file, const char *text,
                               struct error *err) {
    int32_t line = 1;
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) /* what editors put before UTF-8 */
        text += 3;
    while (*text) {
        size_t size = strcspn(text, "\n"), used = strcspn(text, "#\n");
        while (used > 0 && (text[used - 1] == ' ' || text[used - 1] == '\t' || text[used - 1] == '\r'))
            used--;
        size_t skip = strspn(text, " \t");
        if (skip < used) {
            char word[128];
            if (used - skip >= sizeof word)
                return error_at(err, STATUS_INPUT, file, line, 1, "a line of this length is no sector");
            memcpy(word, text + skip, used - skip);
            word[used - skip] = '\0';
            struct error inner = {0};
            if (select_parse_sectors(selection, word, &inner) != STATUS_OK)
                return error_at(err, STATUS_INPUT, file, line, (int32_t)skip + 1, "%s", inner.message);
        }
        text += size;
        text += *text == '\n';
        line++;
    }
    return STATUS_OK;
}
