/* Owns whose an out folder is: whether a bake of a world may go into it, and which of its maps that world no
 * longer has. */
#ifndef GEN_OUT_WORLD_H
#define GEN_OUT_WORLD_H
#include "gen/report.h"
#include "gen/world.h"

#include <jansson.h>

/* Whether outputs of a bake that a manifest's `world` describes can stand beside those of this world: the
 * same name, seed and grid, and a place that overlaps. A world that has been edited, has grown or shrunk
 * since is the same one. Otherwise STATUS_INPUT with what differs and what to do; `path` is the manifest's.
 */
enum status out_world_fits(const json_t *there, const struct world *world, const char *path,
                           struct error *err);
/* The same for OUT/manifest.json; a folder without one, or with a damaged one beside its
 * maps, fits; a file of that name which no bake wrote is not replaced. */
enum status out_world_check(const char *out, const struct world *world, struct error *err);

/* Maps in the folder that lie outside the world, as those of a world that has shrunk. `remove`: their outputs
 * go, and what is then empty; what is not Terrane's stays. Else a warning names them. *removed: files. */
enum status out_world_sweep(const char *out, const struct world *world, bool remove, struct report *notes,
                            int64_t *removed, struct error *err);

#endif
