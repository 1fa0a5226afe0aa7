/* Owns the files that a recipe is made of: `include` puts other recipe files under the one that names them,
 * so that a studio's common recipes and a project's lie apart. Knows nothing of what the keys mean. */
#ifndef GEN_RECIPE_INCLUDE_H
#define GEN_RECIPE_INCLUDE_H
#include "gen/report.h"
#include "gen/yaml.h"

enum {
    RECIPE_INCLUDE_DEPTH = 16,     /* of files that include files */
    RECIPE_INCLUDE_FILES_MAX = 256 /* in all */
};

/* Where files are. Returns the path of one that is there, malloc'ed; NULL: reported at `at`. `folder` is that
 * of the file that names it ("." for none). */
struct recipe_paths {
    char *(*find)(void *context, const struct yaml_node *at, const char *folder, const char *written);
    void *context;
};

/* Reads every file that the tree includes, and what those include, and lays the tree over them, in their
 * order (yaml_overlay): what the tree says counts. Included files have their own `like` and `defaults`
 * applied (gen/recipe_expand.h). Afterwards the root's `include` is an empty list: its place is for messages.
 * Cycles and whatever cannot be read are reported: then it returns false, and the tree lacks them. So are
 * noises that two files of one list define differently, where the file that includes them does not say. */
bool recipe_include(struct yaml_node *root, const struct recipe_paths *paths, struct report *report);

#endif
