#include "gen/exec_trail.h"

#include "gen/hasher.h"
#include "gen/stage.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct trail {
    bool read, changed;
    struct trail_step *steps;
    size_t count, room;
};

struct trails {
    const struct world *world;
    struct store *store;
    struct rect sections;
    struct trail *items; /* one a section */
    pthread_mutex_t mutex;
};

static size_t count_of(struct rect sections) {
    return (size_t)(sections.x1 - sections.x0) * (size_t)(sections.y1 - sections.y0);
}

struct trails *trails_open(const struct world *world, struct store *store) {
    struct trails *trails = calloc(1, sizeof *trails);
    if (!trails)
        return NULL;
    trails->world = world;
    trails->store = store;
    trails->sections = rect_blocks(world->extent.cells, SECTION_CELLS);
    trails->items = calloc(count_of(trails->sections), sizeof *trails->items);
    if (!trails->items) {
        free(trails);
        return NULL;
    }
    pthread_mutex_init(&trails->mutex, NULL);
    return trails;
}

/* Worlds that share a store each have their own trails, whatever their files hold. */
static struct hash128 key_of(const struct trails *trails, int32_t x, int32_t y) {
    const struct world *world = trails->world;
    struct hasher h;
    hasher_reset(&h);
    hash_text(&h, "trail 1");
    hash_text(&h, world->name ? world->name : "");
    hash_u64(&h, world->seed);
    hash_f64(&h, world->extent.cell_m);
    hash_u64(&h, (uint64_t)(int64_t)x);
    hash_u64(&h, (uint64_t)(int64_t)y);
    return hasher_digest(&h);
}

/* The section's trail, read from the store when it is asked for first. */
static struct trail *trail_of(struct trails *trails, int32_t x, int32_t y) {
    struct rect s = trails->sections;
    struct trail *trail = &trails->items[(size_t)(y - s.y0) * (size_t)(s.x1 - s.x0) + (size_t)(x - s.x0)];
    if (trail->read)
        return trail;
    trail->read = true;
    struct tile *tile = store_load(trails->store, key_of(trails, x, y), 0);
    if (tile && tile->size > 0 && tile->size % sizeof *trail->steps == 0 &&
        (trail->steps = malloc(tile->size))) {
        memcpy(trail->steps, tile->bytes, tile->size);
        trail->count = trail->room = tile->size / sizeof *trail->steps;
    }
    tile_unref(tile);
    return trail;
}

static struct trail_step *find(const struct trail *trail, uint64_t pair) {
    for (size_t i = 0; i < trail->count; i++)
        if (trail->steps[i].pair == pair)
            return &trail->steps[i];
    return NULL;
}

bool trails_find(struct trails *trails, int32_t section_x, int32_t section_y, uint64_t pair,
                 struct trail_step *step) {
    pthread_mutex_lock(&trails->mutex);
    const struct trail_step *found = find(trail_of(trails, section_x, section_y), pair);
    if (found)
        *step = *found;
    pthread_mutex_unlock(&trails->mutex);
    return found != NULL;
}

static bool make_room(struct trail *trail) {
    if (trail->count < trail->room)
        return true;
    size_t room = trail->room ? trail->room * 2 : 64;
    struct trail_step *more = realloc(trail->steps, room * sizeof *more);
    if (!more)
        return false;
    trail->steps = more;
    trail->room = room;
    return true;
}

void trails_note(struct trails *trails, int32_t section_x, int32_t section_y, const struct trail_step *step) {
    pthread_mutex_lock(&trails->mutex);
    struct trail *trail = trail_of(trails, section_x, section_y);
    struct trail_step *at = find(trail, step->pair);
    if (!at && make_room(trail))
        at = &trail->steps[trail->count++];
    if (at) {
        *at = *step;
        trail->changed = true;
    }
    pthread_mutex_unlock(&trails->mutex);
}

static void save(const struct trails *trails, const struct trail *trail, int32_t x, int32_t y) {
    static const struct layer_info layer = {.name = "trail", .type = LAYER_BLOB};
    struct tile *tile = tile_new(&layer, false, extent_block(&trails->world->extent, x, y, SECTION_CELLS));
    const void *parts[16] = {trail->steps};
    size_t sizes[16] = {trail->count * sizeof *trail->steps};
    if (tile && tile_set_parts(tile, parts, sizes)) {
        tile_hash(tile);
        store_put(trails->store, key_of(trails, x, y), 1, &tile, true);
    }
    tile_unref(tile);
}

void trails_close(struct trails *trails) {
    if (!trails)
        return;
    struct rect s = trails->sections;
    const struct trail *trail = trails->items;
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++, trail++) {
            if (trail->changed)
                save(trails, trail, x, y);
            free(trail->steps);
        }
    free(trails->items);
    pthread_mutex_destroy(&trails->mutex);
    free(trails);
}
