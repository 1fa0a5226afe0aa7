/* How entities are turned and moved, against rotation matrices from libm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "biome/orient.h"
#include "gen/stage.h"
#include "terrain/hash.h"

#include <math.h>
#include <string.h>

const struct stage *const stage_table[] = {NULL};

/* v turned by the angle about the unit axis (Rodrigues). */
static void turn(double v[3], const double k[3], double angle) {
    double c = cos(angle), s = sin(angle), d = k[0] * v[0] + k[1] * v[1] + k[2] * v[2];
    double x[3] = {k[1] * v[2] - k[2] * v[1], k[2] * v[0] - k[0] * v[2], k[0] * v[1] - k[1] * v[0]};
    for (int i = 0; i < 3; i++)
        v[i] = v[i] * c + x[i] * s + k[i] * d * (1 - c);
}

static void slow(const struct orient *o, double v[3]) {
    double rad = acos(-1.0) / 180, fall = hypot(o->east, o->north);
    double yaw = o->yaw_deg * rad + (o->downslope && fall > 0 ? atan2(-o->east, -o->north) : 0);
    turn(v, (double[3]){0, 1, 0}, o->roll_deg * rad);
    turn(v, (double[3]){1, 0, 0}, -o->lean_deg * rad);
    turn(v, (double[3]){0, 0, 1}, -yaw);
    if (fall > 0)
        turn(v, (double[3]){o->north / fall, -o->east / fall, 0}, atan(o->align * fall));
}

static void by_quaternion(const float q[4], double v[3]) {
    double s = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] + (double)q[2] * (double)q[2]);
    double k[3] = {0, 0, 1};
    for (int i = 0; i < 3 && s > 0; i++)
        k[i] = (double)q[i] / s;
    turn(v, k, 2 * atan2(s, (double)q[3]));
}

static void quaternions_equal_matrices(void **state) {
    (void)state;
    for (int32_t n = 0; n < 4000; n++) {
        float u[6], q[4];
        for (uint32_t k = 0; k < 6; k++)
            u[k] = hash_unit(hash_place(1, 2, n, 0, k));
        struct orient o = {.yaw_deg = 720 * (double)u[0] - 360,
                           .roll_deg = n % 7 ? 360 * (double)u[5] - 180 : 0,
                           .lean_deg = n % 3 ? 180 * (double)u[1] - 90 : 0,
                           .align = n % 4   ? (double)u[2]
                                    : n % 8 ? 1
                                            : 0,
                           .downslope = n % 2,
                           .east = n % 5 ? 6 * (double)u[3] - 3 : 0,
                           .north = n % 5 ? 6 * (double)u[4] - 3 : 0};
        biome_orient(&o, q);
        for (int axis = 0; axis < 3; axis++) {
            double a[3] = {axis == 0, axis == 1, axis == 2}, b[3] = {axis == 0, axis == 1, axis == 2};
            slow(&o, a);
            by_quaternion(q, b);
            for (int i = 0; i < 3; i++)
                assert_true(fabs(a[i] - b[i]) < 1e-5);
        }
    }
}

static void whole_alignment_is_the_grounds_normal_and_forward_is_down(void **state) {
    (void)state;
    struct orient o = {.align = 1, .downslope = 1, .east = 0.3, .north = -0.8};
    double up[3] = {0, 0, 1}, forward[3] = {0, 1, 0}, length = sqrt(1 + 0.09 + 0.64);
    float q[4];
    biome_orient(&o, q);
    by_quaternion(q, up);
    by_quaternion(q, forward);
    assert_true(fabs(up[0] + 0.3 / length) < 1e-6 && fabs(up[1] - 0.8 / length) < 1e-6);
    assert_true(forward[2] < 0 && fabs(forward[0] * 0.8 + forward[1] * 0.3) < 1e-6 && forward[1] > 0);
}

static void offsets_equal_matrices(void **state) {
    (void)state;
    for (int32_t n = 0; n < 4000; n++) {
        float u[9], q[4];
        for (uint32_t k = 0; k < 9; k++)
            u[k] = hash_unit(hash_place(1, 3, n, 0, k));
        struct orient o = {.yaw_deg = 720 * (double)u[0] - 360,
                           .roll_deg = n % 7 ? 360 * (double)u[5] - 180 : 0,
                           .lean_deg = n % 3 ? 180 * (double)u[1] - 90 : 0,
                           .align = (double)u[2],
                           .downslope = n % 2,
                           .east = n % 5 ? 6 * (double)u[3] - 3 : 0,
                           .north = n % 5 ? 6 * (double)u[4] - 3 : 0};
        double offset[3], level[3] = {0, 0, 0}, up[3] = {0, 0, 0}, move[3];
        for (int i = 0; i < 3; i++)
            offset[i] = (n >> i) % 4 ? 10 * (double)u[6 + i] - 5 : 0;
        double yaw = o.yaw_deg * acos(-1.0) / 180;
        if (o.downslope && (o.east != 0 || o.north != 0))
            yaw += atan2(-o.east, -o.north);
        level[0] = offset[0];
        level[1] = offset[1];
        turn(level, (double[3]){0, 0, 1}, -yaw);
        up[2] = offset[2];
        slow(&o, up);
        biome_orient(&o, q);
        biome_offset(&o, q, offset, move);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(move[i] - level[i] - up[i]) < 1e-4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternions_equal_matrices),
        cmocka_unit_test(offsets_equal_matrices),
        cmocka_unit_test(whole_alignment_is_the_grounds_normal_and_forward_is_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
