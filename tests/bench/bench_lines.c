/* What lines, areas and points cost: reading, filling, curves, networks, points files; CPU time of one core,
 * and how it grows with the number of features. */
#include "gen/geojson.h"
#include "gen/ply.h"
#include "terrain/curve.h"
#include "terrain/hash.h"
#include "terrain/network.h"
#include "terrain/polygon.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double draw(int32_t i, uint32_t k, double range) {
    return (double)hash_unit(hash_place(1, 2, i, 0, k)) * range;
}
static void *must(void *p) {
    if (!p)
        exit(5);
    return p;
}

/* `count` footprints strewn over a world that grows with them. */
static void bench_footprints(int32_t count) {
    struct extent extent = {1, {0, 0, 0, 4096}};
    extent.cells.x1 = count / 16;
    size_t room = (size_t)count * 260 + 100, at = 0;
    char *text = must(malloc(room));
    at += (size_t)sprintf(text, "{\"type\":\"FeatureCollection\",\"features\":[");
    for (int32_t i = 0; i < count; i++) {
        double x = 10 + draw(i, 0, extent.cells.x1 - 40), y = 10 + draw(i, 1, 4056), w = 4 + draw(i, 2, 10);
        at += (size_t)sprintf(text + at,
                              "%s{\"type\":\"Feature\",\"properties\":{\"kind\":\"footprint\",\"id\":%d},"
                              "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[%.2f,%.2f],[%.2f,%.2f],"
                              "[%.2f,%.2f],[%.2f,%.2f],[%.2f,%.2f]]]}}",
                              i ? "," : "", i, x, y, x + w, y, x + w, y + 9, x, y + 9, x, y);
    }
    at += (size_t)sprintf(text + at, "]}");
    struct report report = {0};
    struct features *f = must(features_new(FEATURES_PLACED));
    double start = cpu_s();
    features_parse("bench", text, at, &extent, f, &report);
    features_finish(f, &extent, NULL, &report);
    double read = cpu_s() - start;
    start = cpu_s();
    size_t sections = 0, found = 0;
    for (int32_t y = 0; y < extent.cells.y1; y += SECTION_CELLS)
        for (int32_t x = 0; x < extent.cells.x1; x += SECTION_CELLS, sections++) {
            struct box box = {x, y, x + SECTION_CELLS, y + SECTION_CELLS};
            for (size_t i = 0; features_find(f, &box, &i); i++)
                found++;
        }
    double find = cpu_s() - start;
    printf("footprints, %7d: read %6.0f k/s (%5.1f MB/s), found section by section %5.2f us each (%zu)\n",
           count, count / read * 1e-3, (double)at / read * 1e-6, find / (double)sections * 1e6, found);
    features_free(f);
    report_free(&report);
    free(text);
}

static void bench_network(int32_t count) {
    double *xy = must(malloc((size_t)count * 8 * sizeof *xy));
    struct network_line *lines = must(malloc((size_t)count * sizeof *lines));
    for (int32_t i = 0; i < count; i++) {
        double x = draw(i, 0, count), y = draw(i, 1, 1000);
        for (uint32_t k = 0; k < 4; k++) {
            xy[8 * i + 2 * (int32_t)k] = x += draw(i, 2 + k, 40) - 20;
            xy[8 * i + 2 * (int32_t)k + 1] = y += draw(i, 6 + k, 40) - 20;
        }
        lines[i] = (struct network_line){xy + 8 * i, 4};
    }
    size_t need = terrain_network_scratch((size_t)count, (size_t)count * 4);
    struct arena arena = {must(malloc(need)), need, 0};
    struct network network;
    double start = cpu_s();
    if (terrain_network_build(lines, (size_t)count, 1, &arena, &network, NULL))
        exit(5);
    double took = cpu_s() - start;
    printf("network, %7d lines of 4 points: %5.0f k lines/s, %zu nodes, %zu edges\n", count,
           count / took * 1e-3, network.node_count, network.edge_count);
    free(arena.base), free(lines), free(xy);
}

static void bench_ring(int32_t count) {
    double *xy = must(malloc((size_t)count * 2 * sizeof *xy));
    size_t end = (size_t)count, need = terrain_polygon_crossing_scratch(end);
    for (int32_t i = 0; i < count; i++) { /* there along y = 0, back above: a ragged strip */
        int32_t half = count / 2;
        xy[2 * i] = i < half ? i : 2 * half - i - 0.5;
        xy[2 * i + 1] = (i < half ? 0 : 40) + draw(i, 0, 20);
    }
    struct polygon polygon = {xy, &end, 1};
    struct polygon_crossing where;
    struct arena arena = {must(malloc(need)), need, 0};
    bool crosses;
    double start = cpu_s();
    terrain_polygon_crosses(&polygon, &arena, &crosses, &where, NULL);
    printf("self-crossing, ring of %7d points: %5.1f M points/s (%s)\n", count,
           count / (cpu_s() - start) * 1e-6, crosses ? "crosses" : "clean");
    free(arena.base), free(xy);
}

static void bench_curve(void) {
    enum { POINTS = 2000, ROOM = 400000 };
    double *xy = must(malloc(POINTS * 2 * sizeof *xy)), *lengths = must(malloc(POINTS * sizeof *lengths));
    struct curve_sample *samples = must(malloc(ROOM * sizeof *samples));
    for (int32_t i = 0; i < POINTS; i++) {
        xy[2 * i] = i * 20.0;
        xy[2 * i + 1] = draw(i, 0, 30);
    }
    struct curve curve = {xy, POINTS, false, true};
    double start = cpu_s();
    double sum = terrain_curve_measure(&curve, lengths);
    size_t n = terrain_curve_sample(&curve, lengths, sum / (ROOM - POINTS - 2), CURVE_THROUGH, samples);
    printf("curve: %.1f M samples/s\n", (double)n / (cpu_s() - start) * 1e-6);
    free(samples), free(lengths), free(xy);
}

static void bench_points(int32_t count) {
    const struct entity_schema schema = {1, {"health"}};
    size_t stride = entity_stride(&schema);
    unsigned char *records = must(malloc((size_t)count * stride));
    double start = cpu_s();
    for (int32_t i = 0; i < count; i++) {
        struct entity e = {
            .x = i * 1000, .y = i, .z = 5, .qw = 1, .scale = 1, .id = hash_place(1, 1, i, 0, 0)};
        entity_encode(&schema, &e, records + (size_t)i * stride);
    }
    double encode = cpu_s() - start;
    start = cpu_s();
    entity_sort(&schema, records, (size_t)count);
    double sort = cpu_s() - start;
    FILE *out = must(tmpfile());
    start = cpu_s();
    ply_write(out, &schema, records, (uint64_t)count);
    fflush(out);
    double write = cpu_s() - start;
    fclose(out);
    printf("points, %d: encode %.1f M/s, sort %.1f M/s, write %.1f M/s, all %.1f M/s\n", count,
           count / encode * 1e-6, count / sort * 1e-6, count / write * 1e-6,
           count / (encode + sort + write) * 1e-6);
    free(records);
}

int main(void) {
    bench_footprints(10000);
    bench_footprints(100000);
    bench_network(10000);
    bench_network(100000);
    bench_ring(10000);
    bench_ring(1000000);
    bench_curve();
    bench_points(40000); /* a section's */
    bench_points(600000);
    return 0;
}
