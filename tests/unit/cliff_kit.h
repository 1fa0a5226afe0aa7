/* Random grounds with steps, spurs and a pit, and the rock on a part of them, for the tests of cliffs. */
#ifndef CLIFF_KIT_H
#define CLIFF_KIT_H
#include "cliff/surface.h"

enum { CLIFF_KIT_SIDE = 300 };
struct cliff_scene {
    struct cliff_params params;
    struct grid_f32 ground;
    struct grid_u8 steep, closed; /* closed: no cells means nowhere */
    struct arena scratch;
};

/* which: number of the ground. Fails the test when memory is short. */
struct cliff_scene cliff_scene_make(uint32_t which, double step_m, bool posts);
/* Adds, by number: 0 nothing, 1 a closed stream and square, 2 a soft border of 6 m, 3 two displacement
 * images. */
void cliff_scene_vary(struct cliff_scene *scene, uint32_t number);
void cliff_scene_free(struct cliff_scene *scene);
/* The nodes, the field and the surface of a rectangle of cells, made with no more ground than is promised to
 * be enough. */
struct cliff_scene_rock {
    struct cliff_nodes nodes;
    struct cliff_field field;
    struct cliff_surface surface;
};
void cliff_scene_rock(struct cliff_scene *scene, const int32_t cells[4], struct cliff_scene_rock *out);
/* The mesh of a rectangle of cells inside the one that the rock was made for. */
struct cliff_mesh cliff_scene_part(struct cliff_scene *scene, const struct cliff_scene_rock *rock,
                                   const int32_t cells[4]);
/* Both: the mesh of a rectangle of cells. */
struct cliff_mesh cliff_scene_mesh(struct cliff_scene *scene, const int32_t cells[4]);
/* Between the ground's samples. */
double cliff_scene_height(const struct cliff_scene *scene, double x_m, double y_m);

#endif
