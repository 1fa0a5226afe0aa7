/* Owns the list of all stages, in the order in which `--version` and reports show them. A new stage is one
 * entry here; its kernel and adapter lie elsewhere (gen/stage.h says where). */
#include "gen/stage.h"

const struct stage *const stage_table[] = {
    NULL,
};
