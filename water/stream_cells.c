/* What a section knows of streams that nobody drew: its cells that carry enough. */
#include "water/stream.h"

#include "terrain/flow_receivers.h"
#include "terrain/math.h"
#include <math.h>
#include <string.h>

double water_stream_width_m(double area_m2) {
    return math_max(0.5, math_min(64, 2.2 * math_pow(math_max(area_m2, 1) * 1e-6, 0.4)));
}

static int32_t limit(double v, int32_t n) {
    return v < 0 ? 0 : v > n ? n : (int32_t)v;
}

struct offer {
    const double *a, *b;
    double radius_m;
    bool end;
};

static void offer(struct stream_near *near, struct flow_section at, double cell_m, const struct offer *o) {
    double dx = o->b[0] - o->a[0], dy = o->b[1] - o->a[1], l = dx * dx + dy * dy, r = o->radius_m;
    int32_t x0 = limit(floor((math_min(o->a[0], o->b[0]) - r) / cell_m) - at.x0, at.width);
    int32_t x1 = limit(ceil((math_max(o->a[0], o->b[0]) + r) / cell_m) - at.x0 + 1, at.width);
    int32_t y0 = limit(floor((math_min(o->a[1], o->b[1]) - r) / cell_m) - at.y0, at.height);
    int32_t y1 = limit(ceil((math_max(o->a[1], o->b[1]) + r) / cell_m) - at.y0 + 1, at.height);
    for (int32_t y = y0; y < y1; y++)
        for (int32_t x = x0; x < x1; x++) {
            struct stream_near *n = &near[(size_t)y * (size_t)at.width + (size_t)x];
            double px = (at.x0 + x + 0.5) * cell_m, py = (at.y0 + y + 0.5) * cell_m;
            double t = l > 0 ? ((px - o->a[0]) * dx + (py - o->a[1]) * dy) / l : 0;
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            double qx = t < 1 ? o->a[0] + t * dx : o->b[0], qy = t < 1 ? o->a[1] + t * dy : o->b[1];
            float d = (float)sqrt((px - qx) * (px - qx) + (py - qy) * (py - qy));
            bool takes = o->end ? n->how == STREAM_BESIDE && n->x == qx && n->y == qy
                                : n->how != STREAM_LAKE && (n->how == STREAM_FREE || d < n->m);
            if ((double)d <= r && takes)
                *n = (struct stream_near){qx, qy, d, o->end ? STREAM_END : STREAM_BESIDE};
        }
}

void water_stream_beside(struct stream_near *near, struct flow_section at, double cell_m, const double a[2],
                         const double b[2], double radius_m) {
    offer(near, at, cell_m, &(struct offer){a, b, radius_m, false});
}

/* Cells whose nearest point of all lines is the end: they lie beyond it. */
void water_stream_end(struct stream_near *near, struct flow_section at, double cell_m, const double end[2],
                      double radius_m) {
    offer(near, at, cell_m, &(struct offer){end, end, radius_m, true});
}

struct counts {
    uint32_t cells, runs;
};

/* Walks the section; with no arrays it counts. */
static struct counts walk(const struct grid_u8 *receivers, const uint64_t *area,
                          const struct stream_near *near, struct flow_section at, uint64_t least,
                          struct stream_cell *cells, struct stream_run *runs) {
    struct counts n = {0, 0};
    for (int32_t y = 0; y < at.height; y++) {
        struct stream_run run = {.x0 = 0, .x1 = 0};
        for (int32_t x = 0; x <= at.width; x++) {
            size_t i = (size_t)y * (size_t)at.width + (size_t)x;
            uint8_t code = x < at.width ? *grid_u8_at(receivers, at.x0 + x, at.y0 + y) : FLOW_VOID;
            bool enough = code != FLOW_VOID && area[i] >= least, flat = enough && flow_is_lake(code);
            if (run.x1 > run.x0 && (!flat || run.how != near[i].how || run.area != area[i])) {
                if (runs)
                    runs[n.runs] = run;
                n.runs++;
                run.x1 = run.x0;
            }
            if (flat) {
                if (run.x1 == run.x0)
                    run = (struct stream_run){at.y0 + y, at.x0 + x, at.x0 + x, near[i].how, area[i]};
                run.x1++;
            }
            if (enough &&
                (!flat || code >= FLOW_MOUTH || near[i].how == STREAM_BESIDE || near[i].how == STREAM_END)) {
                if (cells)
                    cells[n.cells] = (struct stream_cell){at.x0 + x, at.y0 + y, area[i], near[i], code, 0};
                n.cells++;
            }
        }
    }
    return n;
}

enum status water_stream_cells(const struct grid_u8 *receivers, const uint64_t *area,
                               const struct stream_near *near, struct flow_section at, uint64_t least,
                               struct flow_record *record, struct arena *arena, struct error *err) {
    struct counts n = walk(receivers, area, near, at, least, NULL, NULL);
    *record = (struct flow_record){NULL, 0};
    if (!n.cells && !n.runs)
        return STATUS_OK;
    size_t cells = n.cells * sizeof(struct stream_cell), runs = n.runs * sizeof(struct stream_run);
    unsigned char *bytes = arena_alloc(arena, sizeof n + cells + runs, 1);
    if (!bytes)
        return error_set(err, STATUS_LIMIT, "out of scratch memory");
    memcpy(bytes, &n, sizeof n);
    walk(receivers, area, near, at, least, (struct stream_cell *)(void *)(bytes + sizeof n),
         (struct stream_run *)(void *)(bytes + sizeof n + cells));
    *record = (struct flow_record){bytes, sizeof n + cells + runs};
    return STATUS_OK;
}
