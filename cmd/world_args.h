/* Owns what commands that read a world share: loading it with --set, and its selections. */
#ifndef CMD_WORLD_ARGS_H
#define CMD_WORLD_ARGS_H
#include "cmd/cmd.h"
#include "gen/select.h"
#include "gen/world.h"

#define CMD_SET_OPTION                                                                                       \
    { "--set", "KEY=VALUE", true, "set a value of world.yaml, e.g. world.seed=8" }
#define CMD_SELECT_OPTIONS                                                                                   \
    {"--map", "X,Y", true, "this map (1024 x 1024 cells)"},                                                  \
        {"--section", "X,Y", true, "this section (256 x 256 cells)"},                                        \
        {"--sector", "X,Y[..X,Y]", true, "this sector (64 x 64 cells), or all from one to the other"},       \
        {"--sectors-from", "FILE", true, "sectors from a file, one X,Y or X,Y..X,Y a line; - is stdin"},     \
        {"--at", "X,Y", true, "the sector of a place, in metres"},                                           \
        {"--around", "X,Y,R", true, "all sectors within R metres of a place"}, {                             \
        "--frustum", "EYE,DIR,FOV,FAR[,ASPECT]", true,                                                       \
            "all sectors in a view: x,y,z of the eye and of the direction, degrees, metres"                  \
    }

/* The same as cmd_load_world without printing: the report is filled and the caller's to print and free. */
struct world *cmd_read_world(const struct cmd_args *args, struct report *report);
/* args' first word names the world: world.yaml, or a folder that holds one. Prints the report but for its
 * notes, which are check's; without `warn` (check and bake have told of them) only when there are errors.
 * NULL: errors, *status is the exit code. */
struct world *cmd_load_world(const struct cmd_args *args, bool warn, enum status *status);
/* Adds up all selections of the command line (none: the whole world). Prints its errors. */
enum status cmd_select(const struct cmd_args *args, const struct world *world, struct selection *selection);

#endif
