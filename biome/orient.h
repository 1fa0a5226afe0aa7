/* Owns how an entity is turned: heading, lean, and how far it follows the ground; and how it is moved from
 * its place. Pure. */
#ifndef BIOME_ORIENT_H
#define BIOME_ORIENT_H

struct orient {
    double yaw_deg;  /* of the asset's y axis, clockwise from north, or from downslope */
    double lean_deg; /* -90..90: its z axis tips towards its y axis */
    double roll_deg; /* its z axis tips to the right of its y axis, by its x axis, before it leans */
    double align;    /* 0..1: share of the ground's gradient that the upright follows */
    int downslope; /* not 0: yaw is from the direction in which the ground falls; level ground: from north */
    double east, north; /* the ground's gradient, rise per metre */
};

/* q = tilt * yaw * lean * roll as a unit quaternion x, y, z, w, from the asset's axes (z up) to the world's.
 * The tilt takes the vertical to the normal of ground with `align` times the gradient, about a level axis. */
void biome_orient(const struct orient *o, float q[4]);

/* How far an offset in the entity's own frame moves it, in metres east, north, up: offset_m[0] to the right
 * of its heading and [1] along it, both level; [2] along its upright, by q, which biome_orient gave for o. */
void biome_offset(const struct orient *o, const float q[4], const double offset_m[3], double move_m[3]);

#endif
