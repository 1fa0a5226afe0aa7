#include "biome/orient.h"

#include "terrain/math.h"
#include <math.h>

/* a * b: first b, then a. */
static void multiply(const double a[4], const double b[4], double out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static double heading(const struct orient *o) {
    double yaw = MATH_RAD * o->yaw_deg;
    if (o->downslope && o->east * o->east + o->north * o->north > 0.0)
        yaw += math_atan2(-o->east, -o->north);
    return yaw;
}

void biome_orient(const struct orient *o, float q[4]) {
    double fall = sqrt(o->east * o->east + o->north * o->north), slope = o->align * fall;
    double yaw = heading(o);
    double turn[4] = {0.0, 0.0, 0.0, 0.0}, all[4];
    math_sin_cos(-0.5 * yaw, &turn[2], &turn[3]);
    for (int i = 0; i < 4; i++)
        all[i] = turn[i];
    if (o->lean_deg != 0.0) {
        double lean[4] = {0.0, 0.0, 0.0, 0.0};
        math_sin_cos(-0.5 * MATH_RAD * o->lean_deg, &lean[0], &lean[3]);
        multiply(turn, lean, all);
    }
    if (o->roll_deg != 0.0) {
        double roll[4] = {0.0, 0.0, 0.0, 0.0};
        math_sin_cos(0.5 * MATH_RAD * o->roll_deg, &roll[1], &roll[3]);
        double leant[4] = {all[0], all[1], all[2], all[3]};
        multiply(leant, roll, all);
    }
    if (slope > 0.0) {
        /* half angles of a tilt whose tangent is `slope` */
        double cosine = 1.0 / sqrt(1.0 + slope * slope);
        double s = sqrt(0.5 * (1.0 - cosine)) / fall, c = sqrt(0.5 * (1.0 + cosine));
        double tilt[4] = {s * o->north, -s * o->east, 0.0, c}, yawed[4];
        for (int i = 0; i < 4; i++)
            yawed[i] = all[i];
        multiply(tilt, yawed, all);
    }
    for (int i = 0; i < 4; i++)
        q[i] = (float)all[i];
}

void biome_offset(const struct orient *o, const float q[4], const double offset_m[3], double move_m[3]) {
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    double up[3] = {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)};
    for (int i = 0; i < 3; i++)
        move_m[i] = offset_m[2] * up[i];
    if (offset_m[0] != 0.0 || offset_m[1] != 0.0) {
        double yaw = heading(o), s = math_sin(yaw), c = math_cos(yaw);
        move_m[0] += offset_m[0] * c + offset_m[1] * s;
        move_m[1] += offset_m[1] * c - offset_m[0] * s;
    }
}
