#include "gen/source.h"

#include "gen/hasher.h"
#include "gen/source_set.h"
#include "gen/stage.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool source_tiled(const struct source *source) {
    return source->file_count > 0 && !source->files[0].whole;
}

struct placement source_height_placement(const struct world *world) {
    const struct world_height *h = &world->height;
    return placement_of(&world->extent, source_tiled(&h->source), h->samples == SAMPLES_POSTS,
                        h->source.fine_log2);
}

struct placement source_mask_placement(const struct world *world, const struct world_mask *mask) {
    return placement_of(&world->extent, source_tiled(&mask->source), false, mask->source.fine_log2);
}

/* Index of the file of map (x, y), or file_count. */
static size_t find_map(const struct source *source, int32_t x, int32_t y) {
    size_t low = 0, high = source->file_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const struct source_file *f = &source->files[mid];
        if (f->map_y < y || (f->map_y == y && f->map_x < x))
            low = mid + 1;
        else
            high = mid;
    }
    bool found = low < source->file_count && source->files[low].map_x == x && source->files[low].map_y == y;
    return found ? low : source->file_count;
}

/* The maps whose files may hold samples of the window: those that its cells touch, the border included. */
static struct rect window_maps(const struct placement *p, struct rect w) {
    struct rect cells;
    if (p->fine_log2 >= 0) {
        int32_t f = 1 << p->fine_log2;
        cells = (struct rect){p->origin_x + floor_div(w.x0, f), p->origin_y + floor_div(w.y0, f),
                              p->origin_x + floor_div(w.x1, f), p->origin_y + floor_div(w.y1, f)};
    } else {
        int32_t c = 1 << -p->fine_log2;
        cells = (struct rect){p->origin_x + w.x0 * c, p->origin_y + w.y0 * c, p->origin_x + w.x1 * c,
                              p->origin_y + w.y1 * c};
    }
    return rect_blocks(rect_grow(cells, 1), MAP_CELLS);
}

enum status source_files_in(const struct source *source, const struct extent *extent,
                            const struct placement *p, struct rect window, const struct source_visit *visit,
                            struct error *err) {
    if (!source_tiled(source))
        return source->file_count && source->files[0].present ? visit->file(visit->context, 0, err)
                                                              : STATUS_OK;
    struct rect maps = rect_intersect(window_maps(p, window), rect_blocks(extent->cells, MAP_CELLS));
    for (int32_t y = maps.y0; y < maps.y1; y++)
        for (int32_t x = maps.x0; x < maps.x1; x++) {
            size_t i = find_map(source, x, y);
            if (i == source->file_count || !source->files[i].present ||
                rect_empty(rect_intersect(placement_file_samples(p, extent, &source->files[i]), window)))
                continue;
            enum status status = visit->file(visit->context, i, err);
            if (status != STATUS_OK)
                return status;
        }
    return STATUS_OK;
}

struct gather {
    const struct source_raster *raster;
    struct rect window;
    const struct source_rows *rows;
};

static enum status gather_file(void *context, size_t index, struct error *err) {
    const struct gather *g = context;
    const struct source_image *image = &g->raster->images[index];
    struct rect part = rect_intersect(image->samples, g->window);
    if (rect_empty(part))
        return STATUS_OK;
    int32_t width = part.x1 - part.x0, height = part.y1 - part.y0;
    size_t row_size = (size_t)width * (size_t)g->raster->pixel_bytes;
    unsigned char *pixels = malloc(row_size * (size_t)height);
    if (!pixels)
        return error_at(err, STATUS_LIMIT, image->file->path, 0, 0, "out of memory");
    int32_t north = image->samples.y1; /* file row r is lattice row north - 1 - r */
    enum status status =
        image_cache_read(image->cache, &image->maker, part.x0 - image->samples.x0, north - part.y1,
                         part.x1 - image->samples.x0, north - part.y0, pixels, err);
    for (int32_t r = 0; status == STATUS_OK && r < height; r++)
        status = g->rows->row(g->rows->context, image, part.x0, part.y1 - 1 - r, width,
                              pixels + row_size * (size_t)r, err);
    free(pixels);
    return status;
}

enum status source_gather(const struct source_raster *raster, struct rect window,
                          const struct source_rows *rows, struct error *err) {
    struct gather gather = {raster, window, rows};
    return source_files_in(raster->source, &raster->world->extent, &raster->placement, window,
                           &(struct source_visit){gather_file, &gather}, err);
}

static void close_raster(struct source_raster *raster) {
    for (size_t i = 0; i < raster->source->file_count; i++)
        image_cache_free(raster->images[i].cache);
    free(raster->images);
}

/* Whether all sample numbers, with a margin, are far from the limits of int32_t. */
static enum status check_numbers(const struct world *world, const struct source *source, struct error *err) {
    struct rect c = world->extent.cells;
    int64_t f = source->fine_log2 > 0 ? (int64_t)1 << source->fine_log2 : 1, most = (int64_t)1 << 29;
    if ((c.x1 - (int64_t)c.x0 + MAP_CELLS) * f <= most && (c.y1 - (int64_t)c.y0 + MAP_CELLS) * f <= most)
        return STATUS_OK;
    return error_at(err, STATUS_LIMIT, source->yaml_file, source->line, source->column,
                    "'%s' has more than %lld samples along a side of the world", source->name,
                    (long long)most);
}

static enum status open_raster(struct source_raster *raster, const char *dir, struct error *err) {
    const struct source *source = raster->source;
    enum status status = check_numbers(raster->world, source, err);
    if (status != STATUS_OK)
        return status;
    raster->images = calloc(source->file_count ? source->file_count : 1, sizeof *raster->images);
    if (!raster->images)
        return error_set(err, STATUS_LIMIT, "out of memory");
    for (size_t i = 0; i < source->file_count; i++) {
        const struct source_file *file = &source->files[i];
        struct source_image *image = &raster->images[i];
        *image = (struct source_image){.file = file, .raster = raster};
        image->maker.make = raster->mask ? source_make_mask : source_make_height;
        image->maker.context = image;
        if (!file->present)
            continue;
        image->samples = placement_file_samples(&raster->placement, &raster->world->extent, file);
        if (rect_empty(image->samples))
            return error_at(err, STATUS_INPUT, file->path, 0, 0,
                            "%d x %d px do not fit the part of the world that the file covers",
                            file->width_px, file->height_px);
        struct hash128 key =
            raster->mask ? source_mask_key(raster->mask, file) : source_height_key(raster->world, file);
        image->cache = image_cache_new(dir, key, file->width_px, file->height_px, raster->pixel_bytes);
        if (!image->cache)
            return error_at(err, STATUS_LIMIT, file->path, 0, 0, "out of memory");
    }
    return STATUS_OK;
}

static int32_t height_bytes(const struct world_height *h) {
    return h->source.format == RASTER_R32 ? 4 : h->eight_bit ? 1 : 2;
}

static enum status open_all(struct source_set *s, const struct world *world, const char *dir,
                            struct error *err) {
    s->height = (struct source_raster){.world = world,
                                       .source = &world->height.source,
                                       .placement = source_height_placement(world),
                                       .pixel_bytes = height_bytes(&world->height)};
    s->masks = calloc(world->mask_count ? world->mask_count : 1, sizeof *s->masks);
    if (!s->masks)
        return error_set(err, STATUS_LIMIT, "out of memory");
    enum status status = open_raster(&s->height, dir, err);
    for (size_t i = 0; status == STATUS_OK && i < world->mask_count; i++) {
        const struct world_mask *mask = &world->masks[i];
        s->masks[i] = (struct source_raster){.world = world,
                                             .mask = mask,
                                             .source = &mask->source,
                                             .placement = source_mask_placement(world, mask),
                                             .pixel_bytes = 1};
        status = open_raster(&s->masks[i], dir, err);
    }
    return status;
}

enum status source_open(const struct world *world, const char *store_dir, struct source_set **set,
                        struct error *err) {
    *set = NULL;
    size_t size = strlen(store_dir) + sizeof "/images";
    char *dir = malloc(size);
    struct source_set *s = calloc(1, sizeof *s);
    enum status status;
    if (!s || !dir) {
        status = error_set(err, STATUS_LIMIT, "out of memory");
    } else {
        snprintf(dir, size, "%s/images", store_dir);
        status = open_all(s, world, dir, err);
    }
    free(dir);
    if (status == STATUS_OK)
        *set = s;
    else
        source_close(s);
    return status;
}

void source_close(struct source_set *set) {
    if (!set)
        return;
    if (set->height.images)
        close_raster(&set->height);
    for (size_t i = 0; set->masks && i < set->height.world->mask_count; i++)
        if (set->masks[i].images)
            close_raster(&set->masks[i]);
    free(set->masks);
    free(set);
}

static const struct error *raster_trouble(const struct source_raster *raster) {
    for (size_t i = 0; i < raster->source->file_count; i++) {
        struct image_cache *cache = raster->images[i].cache;
        const struct error *trouble = cache ? image_cache_trouble(cache) : NULL;
        if (trouble)
            return trouble;
    }
    return NULL;
}

const struct error *source_trouble(const struct source_set *set) {
    const struct error *trouble = raster_trouble(&set->height);
    for (size_t i = 0; !trouble && i < set->height.world->mask_count; i++)
        trouble = raster_trouble(&set->masks[i]);
    return trouble;
}

struct file_hash {
    const struct source *source;
    struct hasher *hasher;
};

static enum status hash_file(void *context, size_t index, struct error *err) {
    const struct file_hash *h = context;
    const struct source_file *file = &h->source->files[index];
    (void)err;
    hash_u64(h->hasher, file->whole);
    hash_u64(h->hasher, (uint32_t)file->map_x);
    hash_u64(h->hasher, (uint32_t)file->map_y);
    hash_u64(h->hasher, (uint32_t)file->width_px);
    hash_u64(h->hasher, (uint32_t)file->height_px);
    hash_u64(h->hasher, file->id.lo);
    hash_u64(h->hasher, file->id.hi);
    return STATUS_OK;
}

static void hash_files(const struct world *world, const struct source *source, const struct placement *p,
                       struct rect window, struct hasher *hasher) {
    struct file_hash h = {source, hasher};
    source_files_in(source, &world->extent, p, window, &(struct source_visit){hash_file, &h}, NULL);
}

void source_hash_height_files(const struct world *world, struct rect cells, struct hasher *hasher) {
    struct placement p = source_height_placement(world);
    cells.x1 += p.posts;
    cells.y1 += p.posts;
    hash_files(world, &world->height.source, &p, source_height_window(&p, cells), hasher);
}

void source_hash_mask_files(const struct world *world, const struct world_mask *mask, struct rect cells,
                            struct hasher *hasher) {
    struct placement p = source_mask_placement(world, mask);
    hash_files(world, &mask->source, &p, source_mask_window(&p, cells), hasher);
}

/* Reads one sample of each file, which decodes it whole. */
static void check_raster(const struct source_raster *raster, bool *good, struct report *report) {
    for (size_t i = 0; i < raster->source->file_count; i++) {
        const struct source_image *image = &raster->images[i];
        unsigned char pixel[4];
        struct error err;
        if (image->cache &&
            image_cache_read(image->cache, &image->maker, 0, 0, 1, 1, pixel, &err) != STATUS_OK) {
            report_error(report, &err);
            *good = false;
        }
    }
}

/* Shared posts lie on the lines between maps. */
static void check_lines(struct source_set *set, struct report *report) {
    const struct world *world = set->height.world;
    struct rect maps = rect_blocks(world->extent.cells, MAP_CELLS);
    float *line = malloc(sizeof *line * (MAP_CELLS + 1));
    for (int32_t y = maps.y0; line && y < maps.y1; y++)
        for (int32_t x = maps.x0; x < maps.x1; x++) {
            struct rect c = extent_block(&world->extent, x, y, MAP_CELLS);
            struct error err;
            struct grid_f32 west = {line, c.x0, c.y0, 1, c.y1 - c.y0 + 1, 1};
            struct grid_f32 south = {line, c.x0, c.y0, c.x1 - c.x0 + 1, 1, MAP_CELLS + 1};
            if ((x > maps.x0 && source_read_height(set, &west, &err) != STATUS_OK) ||
                (y > maps.y0 && source_read_height(set, &south, &err) != STATUS_OK))
                report_error(report, &err);
        }
    free(line);
}

/* Whether any section has a height. Ends at the first one. */
static bool any_height(struct source_set *set, float *room) {
    const struct world *world = set->height.world;
    struct rect s = rect_blocks(world->extent.cells, SECTION_CELLS);
    for (int32_t y = s.y0; y < s.y1; y++)
        for (int32_t x = s.x0; x < s.x1; x++) {
            struct rect c = extent_block(&world->extent, x, y, SECTION_CELLS);
            int32_t more = set->height.placement.posts ? 1 : 0;
            int32_t w = c.x1 - c.x0 + more, h = c.y1 - c.y0 + more;
            struct grid_f32 g = {room, c.x0, c.y0, w, h, w};
            if (source_read_height(set, &g, NULL) != STATUS_OK)
                return true; /* a mistake of its own */
            for (size_t i = 0; i < (size_t)w * (size_t)h; i++)
                if (!isnan(room[i]))
                    return true;
        }
    return false;
}

static void check_voids(struct source_set *set, struct report *report) {
    const struct world_height *h = &set->height.world->height;
    bool may = h->has_nodata;
    for (size_t i = 0; i < h->source.file_count; i++)
        may |= !h->source.files[i].present;
    float *room = may ? malloc(sizeof *room * (SECTION_CELLS + 1) * (SECTION_CELLS + 1)) : NULL;
    if (room && !any_height(set, room))
        report_add(report, REPORT_ERROR, STATUS_INPUT, h->source.yaml_file, h->source.line, h->source.column,
                   "the heights have no data anywhere: every sample is nodata or its map is missing");
    free(room);
}

void source_check(struct source_set *set, struct report *report) {
    bool heights = true, masks = true;
    check_raster(&set->height, &heights, report);
    for (size_t i = 0; i < set->height.world->mask_count; i++)
        check_raster(&set->masks[i], &masks, report);
    if (heights && set->height.placement.posts && source_tiled(set->height.source))
        check_lines(set, report);
    if (heights)
        check_voids(set, report);
}

/* Which codes the mask holds; ends when all of the legend's were met. */
static bool codes_met(struct source_set *set, size_t m, bool met[256]) {
    const struct world *world = set->height.world;
    const struct world_mask *mask = &world->masks[m];
    struct rect s = rect_blocks(world->extent.cells, SECTION_CELLS);
    uint8_t *room = malloc(SECTION_CELLS * SECTION_CELLS);
    bool good = room != NULL, all = false;
    for (int32_t y = s.y0; y < s.y1 && good && !all; y++)
        for (int32_t x = s.x0; x < s.x1 && good && !all; x++) {
            struct rect c = extent_block(&world->extent, x, y, SECTION_CELLS);
            struct grid_u8 g = {room, c.x0, c.y0, c.x1 - c.x0, c.y1 - c.y0, c.x1 - c.x0};
            good = source_read_mask(set, m, &g, NULL) == STATUS_OK;
            for (size_t i = 0; good && i < (size_t)g.width * (size_t)g.height; i++)
                met[room[i]] = true;
            all = true;
            for (size_t e = 0; e < mask->legend_count; e++)
                all &= met[mask->legend[e].code & 255];
        }
    free(room);
    return good;
}

void source_check_paint(struct source_set *set, struct report *report) {
    const struct world *world = set->height.world;
    const struct world_mask *paint = world_find_mask(world, "biome_paint");
    bool met[256] = {false};
    char list[512] = "";
    size_t used = 0;
    if (!paint || !codes_met(set, (size_t)(paint - world->masks), met))
        return;
    for (size_t e = 0; e < paint->legend_count && used < sizeof list - 80; e++)
        if (!met[paint->legend[e].code & 255] && !paint->legend[e].unpainted)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%.60s", used ? ", " : "",
                                     paint->legend[e].name);
    if (used)
        report_add(report, REPORT_NOTE, STATUS_INPUT, paint->source.yaml_file, paint->source.line,
                   paint->source.column, "biome_paint: painted nowhere: %s", list);
}
