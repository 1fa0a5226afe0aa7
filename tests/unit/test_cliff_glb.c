/* The files of the rock, read back: closed into the ground over sectors' borders, no triangle without area or
 * on the back of another, normals on the faces' side; and the mending of what a simplifier leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cliff/mend.h"
#include "cliff/sides.h"
#include "cliff_kit.h"
#include "gen/cliff_glb.h"
#include "gen/cliff_simplify.h"
#include "mesh_kit.h"
#include "terrain/hash.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FROM = 86, SECTOR = 64, UNTIL = FROM + 2 * SECTOR };

/* ---- files ---- */

/* Deep in the ground, or on the rim of the four sectors. */
static bool may_open(const void *context, const int32_t a[3], const int32_t b[3]) {
    const struct cliff_scene *s = context;
    const int32_t *ends[2] = {a, b};
    bool deep = true, rim = true;
    for (int32_t k = 0; k < 2; k++) {
        double x = ends[k][0] / CLIFF_QUANTUM, y = ends[k][1] / CLIFF_QUANTUM, z = ends[k][2] / CLIFF_QUANTUM;
        deep &= cliff_scene_height(s, x, y) - z > CLIFF_BURIED_M - 0.05;
        rim &= x < FROM || y < FROM || x > UNTIL - s->params.step_m || y > UNTIL - s->params.step_m;
    }
    return deep || rim;
}

struct files {
    struct mesh_kit seen, collision;
    size_t raw;
};

static void make_files(struct cliff_scene *s, const struct cliff_glb_params *like, struct files *out) {
    *out = (struct files){0};
    const int32_t all[4] = {FROM, FROM, UNTIL, UNTIL};
    struct cliff_scene_rock rock;
    cliff_scene_rock(s, all, &rock);
    for (int32_t k = 0; k < 4; k++) {
        int32_t x = FROM + SECTOR * (k & 1), y = FROM + SECTOR * (k >> 1);
        const int32_t part[4] = {x, y, x + SECTOR, y + SECTOR};
        size_t mark = arena_mark(&s->scratch), size;
        struct cliff_mesh mesh = cliff_scene_part(s, &rock, part);
        out->raw += 2 * (size_t)mesh.own_count;
        struct cliff_glb_params params = *like;
        params.origin_m[0] = x;
        params.origin_m[1] = y;
        unsigned char *bytes;
        struct error err;
        assert_true(mesh.own_count > 0);
        assert_int_equal(cliff_glb_make(&params, &mesh, &s->scratch, &bytes, &size, &err), STATUS_OK);
        assert_true(mesh_kit_add(&out->seen, bytes, size, "cliff"));
        assert_true(mesh_kit_add(&out->collision, bytes, size, "collision"));
        free(bytes);
        arena_release(&s->scratch, mark);
    }
}
static void free_files(struct files *f) {
    mesh_kit_free(&f->seen);
    mesh_kit_free(&f->collision);
}

static void assert_sound(const struct cliff_scene *s, const struct mesh_kit *kit, const char *what,
                         uint32_t which) {
    struct mesh_faults f = mesh_kit_judge(kit, may_open, s);
    if (f.open + f.flat + f.back + f.shade)
        fail_msg(
            "%s of ground %u: %zu open sides (first at %g %g %g), %zu without area, %zu backs, %zu normals",
            what, which, f.open, f.at[0] / CLIFF_QUANTUM, f.at[1] / CLIFF_QUANTUM, f.at[2] / CLIFF_QUANTUM,
            f.flat, f.back, f.shade);
}

static void files_are_closed_over_borders_and_sound(void **state) {
    (void)state;
    static const double errors_m[] = {0.05, 0.12, 0.4, 1.5};
    for (uint32_t which = 0; which < 8; which++) {
        struct cliff_scene s = cliff_scene_make(which, 1, which & 1);
        struct cliff_glb_params params = {.ramp = &cliff_ramp_default,
                                          .error_m = errors_m[which % 4],
                                          .collision_m = 0.6,
                                          .max_triangles = 1000000,
                                          .attributes = which & 1};
        struct files f;
        make_files(&s, &params, &f);
        assert_sound(&s, &f.seen, "cliff", which);
        assert_sound(&s, &f.collision, "collision", which);
        assert_true(f.seen.count / 3 < f.raw * 3 / 4 && f.collision.count <= f.seen.count);
        free_files(&f);
        cliff_scene_free(&s);
    }
}

static void files_within_a_budget_are_closed_too(void **state) {
    (void)state;
    struct cliff_scene s = cliff_scene_make(5, 1, false);
    struct cliff_glb_params params = {
        .ramp = &cliff_ramp_default, .error_m = 0.05, .collision_m = 4, .max_triangles = 1500};
    struct files f;
    make_files(&s, &params, &f);
    assert_sound(&s, &f.seen, "cliff", 5);
    assert_sound(&s, &f.collision, "collision", 5);
    assert_true(f.seen.count / 3 < 4 * 1500);
    free_files(&f);
    cliff_scene_free(&s);
}

static void no_triangle_looks_into_the_rock(void **state) {
    (void)state;
    size_t triangles = 0;
    for (uint32_t which = 10; which < 14; which++) {
        struct cliff_scene s = cliff_scene_make(which, which & 1 ? 0.5 : 1, false);
        const int32_t cells[4] = {FROM, FROM, FROM + SECTOR / 2, FROM + SECTOR};
        struct cliff_mesh mesh = cliff_scene_mesh(&s, cells);
        struct cliff_normals normals;
        struct cliff_light light;
        struct cliff_light_params params = {0.12, 0.6, 1000000};
        assert_true(cliff_normals_make(&mesh, &s.scratch, &normals));
        assert_true(cliff_simplify(&params, &mesh, &normals, &s.scratch, &light));
        for (size_t i = 0; i < light.seen_count; i += 3)
            assert_false(cliff_turned(&mesh, &normals, light.seen + i));
        for (size_t i = 0; i < light.collision_count; i += 3)
            assert_false(cliff_turned(&mesh, &normals, light.collision + i));
        triangles += (light.seen_count + light.collision_count) / 3;
        cliff_scene_free(&s);
    }
    assert_true(triangles > 10000);
}

/* ---- mending ---- */

/* All groups look up. */
struct sheet {
    struct cliff_mesh mesh;
    struct cliff_normals normals;
    uint32_t first[600];
    float up[600][3];
};
static void sheet_make(struct cliff_vertex *vertices, uint32_t count, struct sheet *out) {
    *out = (struct sheet){.mesh = {.vertices = vertices, .vertex_count = count}};
    for (uint32_t v = 0; v < count; v++) {
        out->first[v + 1] = v + 1;
        out->up[v][2] = 1;
    }
    out->normals = (struct cliff_normals){out->first, out->up};
}

/* A sheet of squares whose corners lie on whole numbers, some edges of which are bent onto others: many
 * triangles without area; its border stays. */
static void flat_triangles_go_and_borders_stay(void **state) {
    (void)state;
    enum { N = 24 };
    static unsigned char bytes[4 << 20];
    size_t mended = 0;
    for (uint32_t trial = 0; trial < 40; trial++) {
        struct arena scratch = {bytes, sizeof bytes, 0};
        struct cliff_vertex v[N * N];
        uint32_t indices[6 * N * N];
        bool at[N * N];
        struct cliff_faults faults = {at, 0};
        size_t count = 0, before, after;
        bool border[N * N], then[N * N];
        for (int32_t i = 0; i < N * N; i++) {
            int32_t x = i % N, y = i / N;
            bool rim = x == 0 || y == 0 || x == N - 1 || y == N - 1;
            uint64_t h = hash_place(trial, 9, x, y, 0);
            v[i] = (struct cliff_vertex){4 * x, 4 * y, 0};
            if (!rim && (h & 1)) /* many stay in line with others */
                v[i].z = (int32_t)(h >> 8 & 1);
        }
        for (uint32_t y = 0; y + 1 < N; y++)
            for (uint32_t x = 0; x + 1 < N; x++) {
                uint32_t a = y * N + x, square[6] = {a, a + 1, a + N + 1, a, a + N + 1, a + N};
                memcpy(indices + count, square, sizeof square);
                count += 6;
            }
        /* set some inner vertices on near ones, as a simplifier does */
        for (uint32_t i = 0; i < 120; i++) {
            uint64_t h = hash_place(trial, 10, (int32_t)i, 0, 0);
            uint32_t x = 1 + (uint32_t)(h % (N - 3)), y = 1 + (uint32_t)(h >> 20) % (N - 2), from = y * N + x;
            uint32_t to = (h >> 50 & 1) ? from + 1 : y > 1 ? from + 1 - N : from;
            for (size_t k = 0; k < count; k++)
                indices[k] = indices[k] == from ? to : indices[k];
        }
        size_t kept = 0;
        for (size_t k = 0; k < count; k += 3) {
            const uint32_t *t = indices + k;
            if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
                continue;
            memmove(indices + kept, t, 3 * sizeof *t);
            kept += 3;
        }
        count = kept;
        for (size_t k = 0; k < count; k += 3)
            mended += cliff_in_line(&v[indices[k]], &v[indices[k + 1]], &v[indices[k + 2]]);
        static struct sheet sheet;
        sheet_make(v, N * N, &sheet);
        assert_true(cliff_open_sides(indices, count, N * N, &scratch, border, &before));
        if (!cliff_mend(&sheet.mesh, &sheet.normals, indices, &count, &faults, &scratch))
            continue; /* a border's side itself: it may refuse */
        assert_true(cliff_open_sides(indices, count, N * N, &scratch, then, &after));
        assert_int_equal(before, after);
        assert_memory_equal(border, then, sizeof border);
        for (size_t k = 0; k < count; k += 3)
            assert_false(cliff_in_line(&v[indices[k]], &v[indices[k + 1]], &v[indices[k + 2]]));
    }
    print_message("%zu triangles without area\n", mended);
    assert_true(mended > 100);
}

static void a_flat_triangle_on_the_border_is_refused(void **state) {
    (void)state;
    static unsigned char bytes[1 << 16];
    struct arena scratch = {bytes, sizeof bytes, 0};
    struct cliff_vertex v[4] = {{0, 0, 0}, {4, 0, 0}, {2, 0, 0}, {0, 9, 0}};
    uint32_t alone[3] = {0, 1, 2}, beside[6] = {0, 1, 2, 1, 0, 3}, backs[6] = {0, 1, 3, 1, 0, 3};
    static struct sheet sheet;
    sheet_make(v, 4, &sheet);
    bool at[4];
    struct cliff_faults faults = {at, 0};
    size_t count = 3;
    assert_false(cliff_mend(&sheet.mesh, &sheet.normals, alone, &count, &faults, &scratch));
    assert_true(faults.count == 1 && at[0] && at[1] && at[2] && !at[3]);
    count = 6; /* its longest side is the other's: split there */
    assert_true(cliff_mend(&sheet.mesh, &sheet.normals, beside, &count, &faults, &scratch));
    assert_int_equal(count, 6);
    count = 6;
    assert_true(cliff_mend(&sheet.mesh, &sheet.normals, backs, &count, &faults, &scratch));
    assert_int_equal(count, 0);
}

static void a_fold_is_exchanged(void **state) {
    (void)state;
    static unsigned char bytes[1 << 16];
    struct arena scratch = {bytes, sizeof bytes, 0};
    struct cliff_vertex v[4] = {{0, 0, 0}, {8, 0, 0}, {4, 1, 0}, {4, 9, 0}};
    uint32_t fold[6] = {1, 0, 2, 0, 1, 3}; /* the first looks down */
    static struct sheet sheet;
    sheet_make(v, 4, &sheet);
    bool at[4];
    struct cliff_faults faults = {at, 0};
    size_t count = 6;
    assert_true(cliff_turned(&sheet.mesh, &sheet.normals, fold));
    assert_true(cliff_mend(&sheet.mesh, &sheet.normals, fold, &count, &faults, &scratch));
    assert_int_equal(count, 6);
    assert_int_equal(faults.count, 0);
    for (size_t k = 0; k < 6; k += 3)
        assert_false(cliff_turned(&sheet.mesh, &sheet.normals, fold + k));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(files_are_closed_over_borders_and_sound),
                                       cmocka_unit_test(files_within_a_budget_are_closed_too),
                                       cmocka_unit_test(no_triangle_looks_into_the_rock),
                                       cmocka_unit_test(flat_triangles_go_and_borders_stay),
                                       cmocka_unit_test(a_flat_triangle_on_the_border_is_refused),
                                       cmocka_unit_test(a_fold_is_exchanged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
