/* Flow over the sections of a world, in M cells a second and core (CPU time): each part, and all of it.
 * bench_flow [FILE.r32 WIDTH HEIGHT METRES_PER_UNIT]: heights as little-endian floats, instead of made hills.
 */
#include "terrain/flow_fill.h"
#include "terrain/flow_fill_world.h"
#include "terrain/flow_finish.h"
#include "terrain/flow_local.h"
#include "terrain/flow_world.h"
#include "terrain/hash.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 256, RUNS = 3 };
enum part { QUANTISE, FILL_LOCAL, FILL_WORLD, FILLED, FLOW_LOCAL, FLOW_WORLD, FINISH, CODES, PARTS };
static const char *const part_names[PARTS] = {"quantise",   "fill_local", "fill_world", "filled",
                                              "flow_local", "flow_world", "finish",     "codes"};

struct bench {
    struct flow_layout layout;
    int32_t width, sections, columns;
    float *metres;
    int32_t *z, *filled;
    uint8_t *receivers;
    uint16_t *flow;
    uint64_t *area;
    struct flow_record *summary, *basins, *levels, *flows, *inflows;
    struct arena scratch, records;
    double seconds[PARTS];
};

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(enum status status, const struct error *err) {
    if (status != STATUS_OK) {
        fprintf(stderr, "%s\n", err->message);
        exit((int)status);
    }
}

enum ground { HILLS, NOISE, FLAT, GROUNDS };
static const char *const ground_names[GROUNDS] = {"hills", "noise", "flat"};

/* Hills are of several sizes, on a slope, with the roughness of lidar: centimetres of noise. */
static void make(float *z, int32_t side, enum ground ground) {
    for (int32_t y = 0; y < side; y++)
        for (int32_t x = 0; x < side; x++)
            z[(size_t)y * (size_t)side + (size_t)x] =
                ground == FLAT    ? 1
                : ground == NOISE ? 9 * hash_unit(hash_place(1, 2, x, y, 0))
                                  : (float)(60 * sin(x * 0.013 + y * 0.007) + 20 * sin(x * 0.05 - y * 0.03) +
                                            0.3 * y + 3 * sin(x * 0.21 + 5 * sin(y * 0.02)) +
                                            0.3 * (double)hash_unit(hash_place(1, 2, x, y, 0)));
}

static struct flow_record keep(struct bench *b, struct flow_record r) {
    void *bytes = arena_alloc(&b->records, r.size, 1);
    memcpy(bytes, r.bytes, r.size);
    return (struct flow_record){bytes, r.size};
}

static void run_section(struct bench *b, enum part part, int32_t i) {
    struct error err;
    struct flow_section at = flow_section_of(&b->layout, i % b->columns, i / b->columns);
    ptrdiff_t first = (ptrdiff_t)at.y0 * b->width + at.x0;
    struct grid_f32 metres = {b->metres + first, at.x0, at.y0, at.width, at.height, b->width};
    struct grid_i32 z = {b->z + first, at.x0, at.y0, at.width, at.height, b->width};
    struct grid_i32 filled = {b->filled + first, at.x0, at.y0, at.width, at.height, b->width};
    struct grid_i32 window = {b->filled, 0, 0, b->layout.x1, b->layout.y1, b->width};
    struct grid_u8 receivers = {b->receivers + first, at.x0, at.y0, at.width, at.height, b->width};
    struct grid_u16 flow = {b->flow + first, at.x0, at.y0, at.width, at.height, b->width};
    uint64_t *area = b->area + (ptrdiff_t)i * SIDE * SIDE;
    struct flow_record r, s;
    size_t mark = arena_mark(&b->scratch);
    if (part == QUANTISE) {
        check(terrain_flow_quantise(&metres, &z, &err), &err);
    } else if (part == FILL_LOCAL) {
        check(terrain_fill_local(&z, &b->scratch, &r, &s, &err), &err);
        b->summary[i] = keep(b, r);
        b->basins[i] = keep(b, s);
    } else if (part == FILLED) {
        check(terrain_filled(&z, b->basins[i], b->levels[i], &filled, &b->scratch, &err), &err);
    } else if (part == FLOW_LOCAL) {
        check(terrain_flow_local(&b->layout, at, 7, &window, &receivers, &r, &b->scratch, &err), &err);
        b->flows[i] = keep(b, r);
    } else if (part == FINISH) {
        check(terrain_flow_finish(&receivers, b->inflows[i], area, &b->scratch, &err), &err);
    } else {
        terrain_flow_codes(area, 1, &flow);
    }
    arena_release(&b->scratch, mark);
}

static void run(struct bench *b) {
    struct error err;
    b->records.used = 0;
    for (int part = 0; part < PARTS; part++) {
        double start = cpu_s();
        if (part == FILL_WORLD)
            check(terrain_fill_world(&b->layout, b->summary, b->levels, &b->records, &err), &err);
        else if (part == FLOW_WORLD)
            check(terrain_flow_world(&b->layout, b->flows, b->inflows, &b->records, &err), &err);
        else
            for (int32_t i = 0; i < b->sections; i++)
                run_section(b, (enum part)part, i);
        double took = cpu_s() - start;
        if (b->seconds[part] == 0 || took < b->seconds[part])
            b->seconds[part] = took;
    }
}

static size_t bytes_of(const struct flow_record *records, int32_t count) {
    size_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += records[i].size;
    return sum / (size_t)count;
}

static bool read_heights(const char *path, float scale, float *out, size_t cells) {
    FILE *f = fopen(path, "rb");
    bool ok = f && fread(out, sizeof *out, cells, f) == cells;
    for (size_t i = 0; ok && i < cells; i++)
        out[i] *= scale;
    if (f)
        fclose(f);
    return ok;
}

static void measure(struct bench *b, const char *name) {
    double cells = (double)b->width * (b->layout.y1 - b->layout.y0), all = 0;
    memset(b->seconds, 0, sizeof b->seconds);
    for (int i = 0; i < RUNS; i++)
        run(b);
    for (int part = 0; part < PARTS; part++) {
        printf("flow, %s, %-10s %7.1f M cells/s a core\n", name, part_names[part],
               cells / b->seconds[part] * 1e-6);
        all += b->seconds[part];
    }
    printf("flow, %s, all parts over %d sections: %.2f M cells/s a core\n", name, b->sections,
           cells / all * 1e-6);
    printf("flow, %s, bytes a section: fill_local %zu, fill_basins %zu, fill_world %zu, flow_local %zu, "
           "flow_world %zu\n",
           name, bytes_of(b->summary, b->sections), bytes_of(b->basins, b->sections),
           bytes_of(b->levels, b->sections), bytes_of(b->flows, b->sections),
           bytes_of(b->inflows, b->sections));
}

int main(int argc, char **argv) {
    int32_t width = argc > 3 ? atoi(argv[2]) : 2048, height = argc > 3 ? atoi(argv[3]) : 2048;
    size_t cells = (size_t)width * (size_t)height, room = (size_t)1 << 30;
    struct bench b = {.layout = {0, 0, width, height, SIDE}, .width = width};
    b.columns = flow_columns(&b.layout);
    b.sections = b.columns * flow_rows(&b.layout);
    b.metres = malloc(cells * 4), b.z = malloc(cells * 4), b.filled = malloc(cells * 4);
    b.receivers = malloc(cells), b.flow = malloc(cells * 2);
    b.area = malloc((size_t)b.sections * SIDE * SIDE * 8);
    struct flow_record *records = calloc((size_t)b.sections * 5, sizeof *records);
    b.summary = records, b.basins = records + b.sections, b.levels = records + 2 * b.sections;
    b.flows = records + 3 * b.sections, b.inflows = records + 4 * b.sections;
    b.scratch = (struct arena){malloc(room), room, 0};
    b.records = (struct arena){malloc(room), room, 0};
    if (argc > 3) {
        if (!read_heights(argv[1], argc > 4 ? (float)atof(argv[4]) : 1, b.metres, cells))
            return 4;
        measure(&b, "file");
    } else {
        for (int ground = 0; ground < GROUNDS; ground++) {
            make(b.metres, width, (enum ground)ground);
            measure(&b, ground_names[ground]);
        }
    }
    free(b.metres), free(b.z), free(b.filled), free(b.receivers), free(b.flow), free(b.area), free(records);
    free(b.scratch.base), free(b.records.base);
    return 0;
}
