/* Owns what a scene must keep so that its file is valid glTF; see gen/glb.h. */
#ifndef GEN_GLB_CHECK_H
#define GEN_GLB_CHECK_H
#include "gen/glb.h"

/* STATUS_FAULT names the first mesh that breaks a rule, and the vertex or index. */
enum status glb_check(const struct glb_scene *scene, struct error *err);

#endif
