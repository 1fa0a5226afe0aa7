/* Rock over one section, half of it steep: surface, sectors, projections, normals, simplification (the
 * library alone, and both meshes with what mends them) and writing apart, in core-seconds and raw triangles a
 * second (CPU time, best of 3); the same for a quarter of the wall; the spread of edge lengths before
 * simplification. */
#include "cliff/drape.h"
#include "cliff/normals.h"
#include "cliff/surface.h"
#include "gen/cliff_glb.h"
#include "gen/cliff_simplify.h"
#include <math.h>
#include <meshoptimizer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIDE = 400, SECTION = 256, FROM = 72, SECTOR = 64, RUNS = 3 };

static double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float wall(int32_t x, int32_t y) {
    double bend = 14 * sin(x * 0.031) + 7 * sin(x * 0.083 + 1), t = (y - SIDE / 2 + bend) / 64.0;
    t = t < -1 ? -1 : t > 1 ? 1 : t;
    return (float)(500 + 84 * t + 0.25 * y + 2 * sin(x * 0.19) * sin(y * 0.23));
}

static int by_length(const void *a, const void *b) {
    double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

static void edge_lengths(const struct cliff_mesh *m) {
    size_t count = 6 * (size_t)m->own_count;
    double *lengths = malloc((count + 1) * sizeof *lengths);
    if (!lengths)
        exit(5);
    for (size_t i = 0; i < count; i++) {
        uint32_t c[3];
        cliff_triangle(m, (uint32_t)(i / 3), c);
        const struct cliff_vertex *a = &m->vertices[c[i % 3]], *b = &m->vertices[c[(i + 1) % 3]];
        double x = a->x - b->x, y = a->y - b->y, z = a->z - b->z;
        lengths[i] = sqrt(x * x + y * y + z * z) / CLIFF_QUANTUM;
    }
    qsort(lengths, count, sizeof *lengths, by_length);
    printf("  edges of a sector: 1 %% %.2f m, 25 %% %.2f m, half %.2f m, 75 %% %.2f m, 99 %% %.2f m, longest "
           "%.2f m\n",
           lengths[count / 100], lengths[count / 4], lengths[count / 2], lengths[count * 3 / 4],
           lengths[count * 99 / 100], lengths[count - 1]);
    free(lengths);
}

struct times {
    double surface, sectors, drape, normals, library, light, file;
};
static void keep_best(double t, double *best) {
    *best = t < *best ? t : *best;
}

struct scene {
    struct arena *arena;
    const struct cliff_params *params;
    const struct grid_f32 *ground;
    const struct grid_u8 *steep;
};

/* libmeshoptimizer alone, once, as cliff_simplify calls it for the seen mesh. */
static double library_s(const struct cliff_mesh *m, double error_m, struct arena *arena) {
    size_t count = 6 * (size_t)m->own_count, mark = arena_mark(arena);
    float *positions = arena_alloc(arena, m->vertex_count, 12), off;
    uint32_t *from = arena_alloc(arena, count, sizeof *from), *to = arena_alloc(arena, count, sizeof *to);
    if (!positions || !from || !to)
        exit(5);
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        positions[3 * v] = (float)m->vertices[v].x * 0x1p-10f;
        positions[3 * v + 1] = (float)m->vertices[v].y * 0x1p-10f;
        positions[3 * v + 2] = (float)m->vertices[v].z * 0x1p-10f;
    }
    for (uint32_t t = 0; t < 2 * m->own_count; t++)
        cliff_triangle(m, t, from + 3 * (size_t)t);
    double start = cpu_s();
    float scale = meshopt_simplifyScale(positions, m->vertex_count, 12);
    meshopt_simplify(to, from, count, positions, m->vertex_count, 12, 0, (float)error_m / scale,
                     meshopt_SimplifyLockBorder, &off);
    double took = cpu_s() - start;
    arena_release(arena, mark);
    return took;
}

static size_t sector(const struct scene *s, const struct cliff_surface *surface, int32_t x, int32_t y,
                     bool tell, struct times *t, size_t *bytes) {
    const struct cliff_params *p = s->params;
    int32_t per = (int32_t)(1 / p->step_m);
    int32_t columns[4] = {x * per, y * per, (x + SECTOR) * per, (y + SECTOR) * per}, origin[2] = {x, y};
    struct cliff_mesh mesh;
    double start = cpu_s();
    if (!cliff_surface_sector(surface, columns, columns, s->arena, &mesh))
        exit(5);
    t->sectors += cpu_s() - start;
    if (mesh.own_count == 0)
        return 0;
    if (tell)
        edge_lengths(&mesh);
    static int32_t top[SECTOR * SECTOR];
    static uint16_t bed[SECTOR * SECTOR];
    static uint8_t level[SECTOR * SECTOR];
    struct cliff_drape d = {{top, x, y, SECTOR, SECTOR, SECTOR},
                            {bed, x, y, SECTOR, SECTOR, SECTOR},
                            {level, x, y, SECTOR, SECTOR, SECTOR}};
    start = cpu_s();
    cliff_drape(&mesh, origin, p->cell_m, &d);
    t->drape += cpu_s() - start;
    struct cliff_glb_params g = {
        .ramp = &cliff_ramp_default, .error_m = 0.12, .collision_m = 0.6, .max_triangles = 1000000};
    unsigned char *file;
    size_t size;
    struct cliff_light_params to = {g.error_m, g.collision_m, g.max_triangles};
    struct cliff_normals normals;
    struct cliff_light light;
    start = cpu_s();
    if (!cliff_normals_make(&mesh, s->arena, &normals))
        exit(5);
    t->normals += cpu_s() - start;
    t->library += library_s(&mesh, g.error_m, s->arena);
    start = cpu_s();
    if (!cliff_simplify(&to, &mesh, &normals, s->arena, &light))
        exit(5);
    t->light += cpu_s() - start;
    start = cpu_s(); /* makes both once more */
    if (cliff_glb_make(&g, &mesh, s->arena, &file, &size, NULL) != STATUS_OK)
        exit(5);
    t->file += cpu_s() - start;
    *bytes += size;
    free(file);
    return 2 * (size_t)mesh.own_count;
}

/* A wall `wide` sectors long; returns the surface's triangles. */
static size_t run_once(const struct scene *s, int32_t wide, bool first, struct times *best) {
    const struct cliff_params *p = s->params;
    struct arena *arena = s->arena;
    arena->used = 0;
    int32_t per = (int32_t)(1 / p->step_m), m = cliff_nodes_margin(p);
    int32_t window[4] = {FROM * per, FROM * per, (FROM + wide * SECTOR) * per, (FROM + SECTION) * per};
    int32_t around[4] = {window[0] - m, window[1] - m, window[2] + m, window[3] + m};
    struct cliff_nodes nodes;
    struct cliff_field field;
    struct cliff_surface surface;
    double start = cpu_s();
    if (!cliff_nodes_make(p, s->ground, &(struct cliff_masks){.steep = s->steep}, around, arena, &nodes) ||
        !cliff_field_make(p, &nodes, 380, 720, arena, &field) ||
        !cliff_surface_make(&field, window, arena, &surface))
        exit(5);
    struct times t = {.surface = cpu_s() - start};
    size_t triangles = 0, bytes = 0;
    for (int32_t k = 0; k < 4 * wide; k++) {
        size_t mark = arena_mark(arena);
        triangles += sector(s, &surface, FROM + k % wide * SECTOR, FROM + k / wide * SECTOR, first && k == 9,
                            &t, &bytes);
        arena_release(arena, mark);
    }
    keep_best(t.surface, &best->surface);
    keep_best(t.sectors, &best->sectors);
    keep_best(t.drape, &best->drape);
    keep_best(t.normals, &best->normals);
    keep_best(t.library, &best->library);
    keep_best(t.light, &best->light);
    keep_best(t.file, &best->file);
    if (first)
        printf("  %zu raw triangles, %zu samples, %zu bisections, files %.1f MiB, scratch %zu MiB\n",
               triangles, (size_t)surface.count.samples, (size_t)surface.count.bisections,
               (double)bytes / 1048576, arena->used >> 20);
    return triangles;
}

static struct times best_of(const struct scene *s, int32_t wide, bool tell, size_t *triangles) {
    struct times best = {1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9};
    for (int32_t run = 0; run < RUNS; run++)
        *triangles = run_once(s, wide, tell && run == 0, &best);
    return best;
}

static double all_of(const struct times *t) {
    return t->surface + t->sectors + t->drape + t->file;
}

static void lattice(struct scene *s, const char *name) {
    size_t triangles, fewer;
    printf(" lattice %s\n", name);
    struct times t = best_of(s, 4, true, &triangles);
    double raw = (double)triangles / 1e6;
    printf("  surface               %.3f s: %.2f M triangles/s\n", t.surface, raw / t.surface);
    printf("  cut in sectors        %.3f s, projection %.3f s, normals %.3f s\n", t.sectors, t.drape,
           t.normals);
    printf("  simplified            %.3f s: %.2f M triangles/s, the library alone, seen mesh\n", t.library,
           raw / t.library);
    printf("  simplified and mended %.3f s: %.2f M triangles/s, seen and collision mesh\n", t.light,
           raw / t.light);
    double writing = t.file - t.normals - t.light;
    printf("  written               %.3f s\n", writing > 0 ? writing : 0);
    printf("  all                   %.3f s: %.2f core-seconds a million triangles\n", all_of(&t),
           all_of(&t) / raw);
    struct times less = best_of(s, 1, false, &fewer);
    printf("  a quarter of the wall %.3f s: the whole is %.2f times the triangles and %.2f times the work\n",
           all_of(&less), (double)triangles / (double)fewer, all_of(&t) / all_of(&less));
}

int main(void) {
    struct grid_f32 ground = {malloc(sizeof(float) * SIDE * SIDE), 0, 0, SIDE, SIDE, SIDE};
    struct grid_u8 steep = {calloc(SIDE * SIDE, 1), 0, 0, SIDE, SIDE, SIDE};
    struct arena arena = {malloc((size_t)1 << 30), (size_t)1 << 30, 0};
    if (!ground.cells || !steep.cells || !arena.base)
        return 5;
    size_t count = 0;
    for (int32_t y = 0; y < SIDE; y++)
        for (int32_t x = 0; x < SIDE; x++) {
            ground.cells[y * SIDE + x] = wall(x, y);
            double gx = (double)(wall(x + 1, y) - wall(x - 1, y)) / 2,
                   gy = (double)(wall(x, y + 1) - wall(x, y - 1)) / 2;
            steep.cells[y * SIDE + x] = sqrt(gx * gx + gy * gy) > 1.11;
            bool in = x >= FROM && y >= FROM && x < FROM + SECTION && y < FROM + SECTION;
            count += in && steep.cells[y * SIDE + x];
        }
    printf("rock over a section, %.0f %% of it steep\n", 100.0 * (double)count / SECTION / SECTION);
    for (int32_t fine = 0; fine < 2; fine++) {
        struct cliff_params p = {.cell_m = 1, .step_m = fine ? 0.5 : 1, .step_z_m = 0.5, .seed = 5};
        for (int32_t k = 0; k < STRATA_PRESETS; k++)
            p.frames[k] = strata_frame_of(6, 110);
        lattice(&(struct scene){&arena, &p, &ground, &steep}, fine ? "0.5 m" : "1 x 1 x 0.5 m");
    }
    free(ground.cells);
    free(steep.cells);
    free(arena.base);
    return 0;
}
