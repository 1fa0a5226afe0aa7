#include "gen/exec_own.h"

#include <stdlib.h>
#include <string.h>

static struct rect sector_cells(const struct exec *exec, const struct graph_node *node, int32_t sector) {
    struct rect s = graph_section_cells(&exec->graph, node->section);
    int32_t x = floor_div(s.x0, SECTION_CELLS) * SECTION_SECTORS + sector % SECTION_SECTORS;
    int32_t y = floor_div(s.y0, SECTION_CELLS) * SECTION_SECTORS + sector / SECTION_SECTORS;
    return extent_block(&exec->graph.world->extent, x, y, SECTOR_CELLS);
}

/* The smallest rectangle of all sectors that were made from something else. */
static struct rect changed_cells(const struct exec *exec, const struct graph_node *node,
                                 const struct trail_step *was, const struct trail_step *now) {
    struct rect all = {0, 0, 0, 0};
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        struct rect c = sector_cells(exec, node, i);
        if (rect_empty(c) ||
            (was->sectors[i].lo == now->sectors[i].lo && was->sectors[i].hi == now->sectors[i].hi))
            continue;
        all = rect_empty(all) ? c
                              : (struct rect){c.x0 < all.x0 ? c.x0 : all.x0, c.y0 < all.y0 ? c.y0 : all.y0,
                                              c.x1 > all.x1 ? c.x1 : all.x1, c.y1 > all.y1 ? c.y1 : all.y1};
    }
    return all;
}

static void unref_all(struct tile **tiles, size_t count) {
    for (size_t i = 0; i < count; i++)
        tile_unref(tiles[i]);
    memset(tiles, 0, count * sizeof *tiles);
}

/* tiles: an earlier result, ours alone. False: the store has it no more. */
static bool load_all(struct store *store, struct hash128 entry, struct tile **tiles, size_t count) {
    memset(tiles, 0, count * sizeof *tiles);
    for (size_t i = 0; i < count; i++)
        if (!(tiles[i] = store_load(store, entry, i))) {
            unref_all(tiles, count);
            return false;
        }
    return true;
}

static void paste_samples(struct tile *to, const struct tile *part) {
    size_t sample = layer_sample_size(to->type), row = (size_t)part->width * sample;
    for (int32_t y = 0; y < part->height; y++)
        memcpy(to->bytes +
                   ((size_t)(part->y0 + y - to->y0) * (size_t)to->width + (size_t)(part->x0 - to->x0)) *
                       sample,
               part->bytes + (size_t)y * row, row);
}

/* Puts the sectors of `part` in the place of those in `to`. */
static bool paste(const struct exec *exec, const struct graph_node *node, struct tile *to,
                  const struct tile *part) {
    if (to->type != LAYER_BLOB) {
        paste_samples(to, part);
        return true;
    }
    const void *parts[16];
    size_t sizes[16];
    for (int32_t i = 0; i < SECTORS_PER_SECTION; i++) {
        bool fresh = !rect_empty(rect_intersect(sector_cells(exec, node, i), part->cells));
        const struct tile *from = fresh ? part : to;
        parts[i] = from->bytes + from->part_at[i];
        sizes[i] = from->part_at[i + 1] - from->part_at[i];
    }
    return tile_set_parts(to, parts, sizes); /* copies before it lets the old bytes go */
}

/* tiles: an earlier result; becomes the one of now. */
static enum status renew(struct worker *worker, const struct graph_node *node, struct rect changed,
                         struct tile **tiles, size_t count, struct error *err) {
    struct tile *parts[STAGE_OUTPUTS_MAX] = {NULL};
    enum status status = rect_empty(changed) ? STATUS_OK : exec_make_cells(worker, node, changed, parts, err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (parts[i] && !paste(worker->exec, node, tiles[i], parts[i]))
            status = error_set(err, STATUS_LIMIT, "out of memory");
        tile_hash(tiles[i]);
    }
    unref_all(parts, count);
    return status;
}

static uint64_t pair_name(const struct graph_instance *instance) {
    struct hasher h;
    hasher_reset(&h);
    hash_text(&h, instance->stage->name);
    hash_text(&h, instance->arg);
    return hasher_digest(&h).lo;
}

enum status exec_make_changed(struct worker *worker, struct graph_node *node, struct tile **tiles,
                              struct error *err) {
    struct exec *exec = worker->exec;
    const struct graph_instance *instance = &exec->graph.instances[node->instance];
    if (!instance->stage->any_sectors || !exec->trails)
        return exec_make(worker, node, tiles, err);
    struct rect section = graph_section_cells(&exec->graph, node->section), changed = section;
    int32_t x = floor_div(section.x0, SECTION_CELLS), y = floor_div(section.y0, SECTION_CELLS);
    struct trail_step was, now = {.pair = pair_name(instance), .entry = node->key};
    size_t count = graph_tile_count(&exec->graph, node);
    exec_sector_keys(exec, node, now.sectors);
    if (trails_find(exec->trails, x, y, now.pair, &was))
        changed = changed_cells(exec, node, &was, &now);
    enum status status;
    if (memcmp(&changed, &section, sizeof changed) != 0 && load_all(exec->store, was.entry, tiles, count)) {
        status = renew(worker, node, changed, tiles, count, err);
        if (status != STATUS_OK)
            unref_all(tiles, count);
    } else {
        status = exec_make(worker, node, tiles, err);
    }
    if (status == STATUS_OK)
        trails_note(exec->trails, x, y, &now);
    return status;
}
