#include "gen/world.h"

#include <string.h>

const struct world_mask *world_find_mask(const struct world *world, const char *name) {
    for (size_t i = 0; i < world->mask_count; i++)
        if (strcmp(world->masks[i].source.name, name) == 0)
            return &world->masks[i];
    return NULL;
}

const struct noise_def *world_find_noise(const struct world *world, const char *name) {
    for (size_t i = 0; i < world->noise_count; i++)
        if (strcmp(world->noises[i].name, name) == 0)
            return &world->noises[i];
    return NULL;
}
