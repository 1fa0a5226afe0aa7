#include "gen/bake.h"

#include "gen/objects.h"
#include "gen/os.h"
#include "gen/out_world.h"
#include "gen/preview.h"
#include "gen/source.h"
#include "gen/stages_clearance.h"
#include "gen/stands.h"
#include "gen/timings.h"
#include "gen/water_report.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One map of the bake: opened by the first of its jobs that has something to write, committed by its last. */
struct bake_map {
    struct bake *bake;
    int32_t x, y;
    pthread_mutex_t mutex;
    struct publish *publish;
    int32_t jobs_left;
};

enum bake_kind { BAKE_SECTION, BAKE_SECTOR, BAKE_PICTURE, BAKE_OPEN };

/* One exec job's context. */
struct bake_job {
    struct bake_map *map;
    enum bake_kind kind;
    int32_t x, y; /* of the section, sector or map */
    struct rect cells;
    char name[48];
};

struct bake {
    const struct world *world;
    const struct selection *selection;
    const struct bake_options *options;
    struct output_list outputs;
    struct bake_map *maps;
    size_t map_count;
    struct bake_job *contexts;
    struct exec_input *inputs[2]; /* of all jobs of a kind: BAKE_SECTION, BAKE_SECTOR */
    int32_t input_count[2];
    struct exec_job *jobs;
    size_t job_count, job_room;
    pthread_mutex_t mutex; /* of what follows */
    struct publish_counts files;
    json_t *stands; /* of each species, in the maps so far */
    bool counted;   /* their manifests say it */
};

static bool wanted(const struct bake *bake, const struct output *output) {
    if (!bake->options->some_tools || output->tool == OUTPUT_ALWAYS)
        return true;
    return bake->options->tools[output->tool];
}

static bool of_kind(const struct output *output, enum bake_kind kind) {
    return (output->form == OUTPUT_RASTER) == (kind == BAKE_SECTION);
}

/* ---- jobs' callbacks ---- */

static enum status open_map(struct bake_map *map, struct error *err) {
    enum status status = STATUS_OK;
    pthread_mutex_lock(&map->mutex);
    if (!map->publish)
        status = publish_open(map->bake->world, map->bake->options->out, map->x, map->y, &map->publish, err);
    pthread_mutex_unlock(&map->mutex);
    return status;
}

static bool job_fresh(void *context, struct hash128 inputs) {
    struct bake_job *job = context;
    struct error err; /* met again, and told, when the job runs */
    return open_map(job->map, &err) == STATUS_OK && publish_fresh(job->map->publish, job->name, inputs);
}

/* A sector's column or row in its section. */
static int32_t in_section(int32_t sector) {
    return sector - floor_div(sector, SECTION_SECTORS) * SECTION_SECTORS;
}

static enum status publish_output(struct bake_job *job, const struct output *output,
                                  const struct window *window, struct error *err) {
    struct publish *publish = job->map->publish;
    if (output->form == OUTPUT_RASTER)
        return publish_raster(publish, job->name, output, job->x, job->y, window, job->cells, err);
    const struct tile *tile = window->tiles[0];
    struct clearance clearance = {0};
    int32_t part = in_section(job->y) * SECTION_SECTORS + in_section(job->x);
    size_t at = tile->part_at[part];
    if (output->form == OUTPUT_POINTS)
        memcpy(&clearance, window[1].tiles[0]->bytes + window[1].tiles[0]->part_at[part], sizeof clearance);
    return publish_part(publish, job->name, output, job->x, job->y, tile->bytes + at,
                        tile->part_at[part + 1] - at, &clearance, err);
}

static enum status job_run(void *context, const struct window *windows, struct hash128 inputs,
                           struct arena *scratch, struct error *err) {
    (void)scratch;
    struct bake_job *job = context;
    struct bake *bake = job->map->bake;
    enum status status = open_map(job->map, err);
    int32_t window = 0;
    for (size_t i = 0; i < bake->outputs.count && status == STATUS_OK; i++) {
        const struct output *output = &bake->outputs.items[i];
        if (!of_kind(output, job->kind) || !wanted(bake, output))
            continue;
        status = publish_output(job, output, &windows[window++], err);
        window += output->form == OUTPUT_POINTS; /* clearance, which stands behind */
    }
    return status == STATUS_OK ? publish_job_done(job->map->publish, job->name, inputs, err) : status;
}

struct picture {
    const struct window *window;
    struct rect cells; /* the map's */
};

/* Row y of a map's picture, of the sectors' pixels. */
static void picture_row(const void *context, int32_t y, unsigned char *row) {
    const struct picture *picture = context;
    const struct window *window = picture->window;
    struct rect sections = window->sections, map = picture->cells;
    int32_t at_cell = map.y0 + y / PREVIEW_FINE;
    const struct tile *const *tiles =
        window->tiles +
        (size_t)(floor_div(at_cell, SECTION_CELLS) - sections.y0) * (size_t)(sections.x1 - sections.x0);
    int32_t sector_y = floor_div(at_cell, SECTOR_CELLS);
    size_t from_south =
        (size_t)(at_cell - (sector_y * SECTOR_CELLS < map.y0 ? map.y0 : sector_y * SECTOR_CELLS));
    from_south = from_south * PREVIEW_FINE + (size_t)(y % PREVIEW_FINE);
    for (int32_t x = map.x0; x < map.x1;) {
        int32_t sector_x = floor_div(x, SECTOR_CELLS), end = (sector_x + 1) * SECTOR_CELLS;
        end = end < map.x1 ? end : map.x1;
        const struct tile *tile = tiles[floor_div(x, SECTION_CELLS) - sections.x0];
        size_t part = (size_t)(in_section(sector_y) * SECTION_SECTORS + in_section(sector_x));
        size_t size = (size_t)(end - x) * PREVIEW_FINE * 3;
        memcpy(row, tile->bytes + tile->part_at[part] + from_south * size, size);
        row += size;
        x = end;
    }
}

/* One picture a map. */
static enum status picture_run(void *context, const struct window *windows, struct hash128 inputs,
                               struct arena *scratch, struct error *err) {
    (void)scratch;
    struct bake_job *job = context;
    struct rect c = job->cells;
    struct picture picture = {windows, c};
    struct raster_rows image = {.kind = KIND_RGB8,
                                .width = (c.x1 - c.x0) * PREVIEW_FINE,
                                .height = (c.y1 - c.y0) * PREVIEW_FINE,
                                .row = picture_row,
                                .context = &picture};
    enum status status = open_map(job->map, err);
    if (status == STATUS_OK)
        status = publish_preview(job->map->publish, job->name, &image, err);
    return status == STATUS_OK ? publish_job_done(job->map->publish, job->name, inputs, err) : status;
}

/* What stood in a wholly made place and was not made now goes. */
static enum status complete_map(struct bake_map *map, struct error *err) {
    struct bake *bake = map->bake;
    const struct selection *selection = bake->selection;
    struct rect cells = extent_block(&bake->world->extent, map->x, map->y, MAP_CELLS);
    if (select_has_all(selection, cells))
        return publish_complete(map->publish, LEVEL_MAP, map->x, map->y, err);
    enum status status = STATUS_OK;
    struct rect s = rect_blocks(cells, SECTION_CELLS), t = rect_blocks(cells, SECTOR_CELLS);
    for (int32_t y = s.y0; y < s.y1 && status == STATUS_OK; y++)
        for (int32_t x = s.x0; x < s.x1 && status == STATUS_OK; x++)
            if (select_has_all(selection, extent_block(&bake->world->extent, x, y, SECTION_CELLS)))
                status = publish_complete(map->publish, LEVEL_SECTION, x, y, err);
    for (int32_t y = t.y0; y < t.y1 && status == STATUS_OK; y++)
        for (int32_t x = t.x0; x < t.x1 && status == STATUS_OK; x++)
            if (select_has(selection, x, y))
                status = publish_complete(map->publish, LEVEL_SECTOR, x, y, err);
    return status;
}

static void add_counts(struct publish_counts *to, const struct publish_counts *from) {
    to->written += from->written;
    to->kept += from->kept;
    to->removed += from->removed;
    to->bytes += from->bytes;
    to->clamped += from->clamped;
    to->entities += from->entities;
    to->anew += from->anew;
    if (from->over && (to->over == 0 || strcmp(from->over_first, to->over_first) < 0))
        memcpy(to->over_first, from->over_first, sizeof to->over_first);
    to->over += from->over;
}

static enum status commit_map(struct bake_map *map, struct error *err) {
    struct bake *bake = map->bake;
    struct publish_counts counts = {0};
    json_t *totals = NULL;
    enum status status = bake->options->some_tools ? STATUS_OK : complete_map(map, err);
    if (status == STATUS_OK)
        status = publish_commit(map->publish, &counts, &totals, err);
    else
        publish_abandon(map->publish);
    map->publish = NULL;
    pthread_mutex_lock(&bake->mutex);
    add_counts(&bake->files, &counts);
    bake->counted = stands_add(bake->stands, totals) && bake->counted;
    pthread_mutex_unlock(&bake->mutex);
    json_decref(totals);
    return status;
}

static enum status job_done(void *context, struct error *err) {
    struct bake_map *map = ((struct bake_job *)context)->map;
    pthread_mutex_lock(&map->mutex);
    bool last = --map->jobs_left == 0;
    pthread_mutex_unlock(&map->mutex);
    return last ? commit_map(map, err) : STATUS_OK;
}

/* ---- making the jobs ---- */

/* The next job of a map, without inputs. NULL: a mistake in counting. */
static struct exec_job *next_job(struct bake *bake, struct bake_map *map, enum bake_kind kind, int32_t x,
                                 int32_t y, int32_t block) {
    if (bake->job_count == bake->job_room)
        return NULL;
    struct bake_job *context = &bake->contexts[bake->job_count];
    struct exec_job *job = &bake->jobs[bake->job_count];
    *context = (struct bake_job){.map = map, .kind = kind, .x = x, .y = y};
    context->cells = extent_block(&bake->world->extent, x, y, block);
    *job = (struct exec_job){
        .cells = context->cells, .fresh = job_fresh, .run = job_run, .done = job_done, .context = context};
    return job;
}

static void keep_job(struct bake *bake, struct bake_map *map) {
    bake->job_count++;
    map->jobs_left++;
}

static enum status add_job(struct bake *bake, struct bake_map *map, enum bake_kind kind, int32_t x, int32_t y,
                           struct error *err) {
    struct exec_job *job =
        next_job(bake, map, kind, x, y, kind == BAKE_SECTION ? SECTION_CELLS : SECTOR_CELLS);
    if (!job)
        return error_set(err, STATUS_FAULT, "more jobs than were counted");
    struct bake_job *context = job->context;
    snprintf(context->name, sizeof context->name, kind == BAKE_SECTION ? "c%d_%d" : "s%d_%d", x, y);
    job->inputs = bake->inputs[kind];
    job->input_count = bake->input_count[kind];
    if (job->input_count > 0)
        keep_job(bake, map);
    return STATUS_OK;
}

/* What lies in the first map's folder is read while others make the first results. A folder that is not there
 * is made when the first results are: a bake that fails before leaves none. (Of all maps at once it would
 * take the memory of all manifests.) */
static enum status open_run(void *context, const struct window *windows, struct hash128 inputs,
                            struct arena *scratch, struct error *err) {
    (void)windows, (void)inputs, (void)scratch;
    struct bake_map *map = ((struct bake_job *)context)->map;
    return publish_has_folder(map->bake->options->out, map->x, map->y) ? open_map(map, err) : STATUS_OK;
}

static enum status add_open(struct bake *bake, struct bake_map *map, struct error *err) {
    struct exec_job *job = next_job(bake, map, BAKE_OPEN, map->x, map->y, MAP_CELLS);
    if (!job)
        return error_set(err, STATUS_FAULT, "more jobs than were counted");
    job->fresh = NULL;
    job->run = open_run;
    keep_job(bake, map);
    return STATUS_OK;
}

/* A map's picture is made when the whole map is. */
static enum status add_picture(struct bake *bake, struct bake_map *map, struct bake_report *report,
                               struct error *err) {
    struct rect cells = extent_block(&bake->world->extent, map->x, map->y, MAP_CELLS);
    if (bake->options->some_tools || !select_has_all(bake->selection, cells))
        return STATUS_OK;
    struct exec_job *job = next_job(bake, map, BAKE_PICTURE, map->x, map->y, MAP_CELLS);
    if (!job)
        return error_set(err, STATUS_FAULT, "more jobs than were counted");
    struct bake_job *context = job->context;
    snprintf(context->name, sizeof context->name, "preview");
    static const struct exec_input aerial = {"aerial", 0};
    job->run = picture_run;
    job->inputs = &aerial;
    job->input_count = 1;
    if (report->pictures++ == 0) {
        report->map_x = map->x;
        report->map_y = map->y;
    }
    keep_job(bake, map);
    return STATUS_OK;
}

/* What the solve of the whole network found wrong with the lines, within the chosen sectors' box. */
static enum status notes_run(void *context, const struct window *windows, struct hash128 inputs,
                             struct arena *scratch, struct error *err) {
    (void)inputs;
    struct bake *bake = context;
    const struct selection *s = bake->selection;
    const struct extent *extent = &bake->world->extent;
    struct rect sectors = rect_blocks(extent->cells, SECTOR_CELLS), box = {0, 0, 0, 0};
    for (int32_t y = sectors.y0; y < sectors.y1; y++)
        for (int32_t x = sectors.x0; x < sectors.x1; x++)
            if (select_has(s, x, y)) {
                struct rect c = extent_block(extent, x, y, SECTOR_CELLS);
                box = rect_empty(box)
                          ? c
                          : (struct rect){c.x0 < box.x0 ? c.x0 : box.x0, c.y0 < box.y0 ? c.y0 : box.y0,
                                          c.x1 > box.x1 ? c.x1 : box.x1, c.y1 > box.y1 ? c.y1 : box.y1};
            }
    return water_report(bake->world, windows, box, bake->options->notes, scratch, err);
}

static void add_notes(struct bake *bake) {
    if (!bake->options->notes || bake->options->dry_run || !world_has_tool(bake->world, TOOL_FRESHWATER))
        return;
    struct exec_job *job = &bake->jobs[bake->job_count];
    bake->contexts[bake->job_count++] = (struct bake_job){.map = NULL};
    static const struct exec_input notes = {"water_notes", 0};
    *job = (struct exec_job){.cells = bake->world->extent.cells,
                             .input_count = 1,
                             .inputs = &notes,
                             .run = notes_run,
                             .context = bake};
}

static bool any_sector(const struct selection *selection, struct rect cells) {
    struct rect r = rect_blocks(cells, SECTOR_CELLS);
    for (int32_t y = r.y0; y < r.y1; y++)
        for (int32_t x = r.x0; x < r.x1; x++)
            if (select_has(selection, x, y))
                return true;
    return false;
}

static enum status add_section(struct bake *bake, struct bake_map *map, int32_t x, int32_t y,
                               struct bake_report *report, struct error *err) {
    struct rect cells = extent_block(&bake->world->extent, x, y, SECTION_CELLS);
    if (rect_empty(cells) || !any_sector(bake->selection, cells))
        return STATUS_OK;
    report->sections++;
    enum status status = add_job(bake, map, BAKE_SECTION, x, y, err);
    struct rect r = rect_blocks(cells, SECTOR_CELLS);
    for (int32_t sy = r.y0; sy < r.y1 && status == STATUS_OK; sy++)
        for (int32_t sx = r.x0; sx < r.x1 && status == STATUS_OK; sx++)
            if (select_has(bake->selection, sx, sy)) {
                report->sectors++;
                status = add_job(bake, map, BAKE_SECTOR, sx, sy, err);
            }
    return status;
}

/* The layers that the chosen outputs of a kind come from, in the outputs' order. */
static enum status list_inputs(struct bake *bake, enum bake_kind kind, struct error *err) {
    struct exec_input *inputs = calloc(bake->outputs.count + 2, sizeof *inputs);
    if (!inputs)
        return error_set(err, STATUS_LIMIT, "out of memory");
    bake->inputs[kind] = inputs;
    for (size_t i = 0; i < bake->outputs.count; i++) {
        const struct output *output = &bake->outputs.items[i];
        if (of_kind(output, kind) && wanted(bake, output))
            inputs[bake->input_count[kind]++].layer = output->layer;
        if (of_kind(output, kind) && wanted(bake, output) && output->form == OUTPUT_POINTS)
            inputs[bake->input_count[kind]++].layer = "clearance"; /* for the manifest */
    }
    return STATUS_OK;
}

static enum status plan(struct bake *bake, struct bake_report *report, struct error *err) {
    const struct extent *extent = &bake->world->extent;
    struct rect maps = rect_blocks(extent->cells, MAP_CELLS);
    struct rect sections = rect_blocks(extent->cells, SECTION_CELLS);
    size_t map_room = (size_t)(maps.x1 - maps.x0) * (size_t)(maps.y1 - maps.y0);
    /* a job for each chosen sector, for each section that has one, each map's picture, the first map's folder
     */
    size_t all = (size_t)(sections.x1 - sections.x0) * (size_t)(sections.y1 - sections.y0);
    size_t chosen = bake->selection->count;
    bake->job_room = chosen + (chosen < all ? chosen : all) + map_room + 3;
    bake->maps = calloc(map_room, sizeof *bake->maps);
    bake->jobs = calloc(bake->job_room, sizeof *bake->jobs);
    bake->contexts = calloc(bake->job_room, sizeof *bake->contexts);
    if (!bake->maps || !bake->jobs || !bake->contexts)
        return error_set(err, STATUS_LIMIT, "out of memory");
    enum status status = list_inputs(bake, BAKE_SECTION, err);
    if (status == STATUS_OK)
        status = list_inputs(bake, BAKE_SECTOR, err);
    for (int32_t my = maps.y0; my < maps.y1; my++)
        for (int32_t mx = maps.x0; mx < maps.x1; mx++) {
            struct rect cells = extent_block(extent, mx, my, MAP_CELLS);
            if (!any_sector(bake->selection, cells))
                continue;
            struct bake_map *map = &bake->maps[bake->map_count++];
            map->bake = bake;
            map->x = mx;
            map->y = my;
            if (bake->map_count == 1) {
                report->map_x = mx;
                report->map_y = my;
            }
            pthread_mutex_init(&map->mutex, NULL);
            if (status == STATUS_OK && bake->map_count == 1)
                status = add_open(bake, map, err);
            struct rect s = rect_blocks(cells, SECTION_CELLS);
            for (int32_t y = s.y0; y < s.y1 && status == STATUS_OK; y++)
                for (int32_t x = s.x0; x < s.x1 && status == STATUS_OK; x++)
                    status = add_section(bake, map, x, y, report, err);
            if (status == STATUS_OK)
                status = add_picture(bake, map, report, err);
        }
    report->maps = (int64_t)bake->map_count;
    if (status == STATUS_OK && bake->job_count > 0)
        add_notes(bake);
    return status;
}

/* ---- a bake ---- */

enum status bake_open_store(const struct world *world, const char *option, const char *beside,
                            struct store **store, struct error *err) {
    char dir[PATH_TEXT_MAX];
    if (!option)
        option = world->store.dir;
    bool temporary = option[0] == '\0';
    char name[64];
    store_temporary_name(name, sizeof name);
    enum status status =
        temporary ? path_format(dir, err, "%s/%s", beside, name) : path_format(dir, err, "%s", option);
    if (status != STATUS_OK)
        return status;
    return store_open(dir, (uint64_t)(world->store.limit_mib * 1048576.0), temporary, store, err);
}

static enum status run_jobs(struct bake *bake, struct bake_report *report, struct error *err) {
    const struct bake_options *options = bake->options;
    struct store *store = NULL;
    struct source_set *sources = NULL;
    enum status status = options->dry_run ? STATUS_OK : out_world_check(options->out, bake->world, err);
    if (status == STATUS_OK && !options->dry_run)
        status = os_make_dirs(options->out, err);
    if (status == STATUS_OK && !options->dry_run)
        store_sweep(options->out);
    if (status == STATUS_OK)
        status = bake_open_store(bake->world, options->store,
                                 options->dry_run ? bake->world->dir : options->out, &store, err);
    if (status == STATUS_OK && !options->dry_run)
        store_claim(store);
    if (status == STATUS_OK)
        status = source_open(bake->world, store_dir(store), &sources, err);
    if (status == STATUS_OK) {
        struct exec_options exec = {.threads = options->threads,
                                    .memory_limit = options->memory_limit,
                                    .dry_run = options->dry_run,
                                    .would_run = options->would_run,
                                    .would_run_context = options->would_run_context,
                                    .trace = options->trace,
                                    .progress = options->progress,
                                    .progress_context = options->progress_context};
        status =
            exec_run(bake->world, sources, store, &exec, bake->jobs, bake->job_count, &report->exec, err);
    }
    const struct error *trouble = store ? store_trouble(store) : NULL;
    if (sources && !trouble)
        trouble = source_trouble(sources);
    if (trouble) {
        report->has_trouble = true;
        report->trouble = *trouble;
    }
    source_close(sources);
    store_close(store);
    return status;
}

/* The out folder's own files: the maps' hashes, and what the object ids stand for. */
static enum status write_world(const struct world *world, const char *out, struct error *err) {
    struct object_table table = {0};
    json_t *objects = NULL;
    enum status status = objects_of(world->recipe, &table, err);
    if (status == STATUS_OK && world->recipe && !(objects = objects_json(world->recipe, &table)))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    if (status == STATUS_OK)
        status = manifest_world(out, world, objects, err);
    json_decref(objects);
    objects_free(&table);
    return status;
}

enum status bake_run(const struct world *world, const struct selection *selection,
                     const struct bake_options *options, struct bake_report *report, struct error *err) {
    struct bake bake = {.world = world, .selection = selection, .options = options};
    double wall_s = os_wall_s(), cpu_s = os_process_cpu_s();
    memset(report, 0, sizeof *report);
    if (selection->count == 0) /* a shard without a map: nothing to do, nothing to write */
        return STATUS_OK;
    pthread_mutex_init(&bake.mutex, NULL);
    bake.stands = stands_none(world->recipe);
    bake.counted = true;
    enum status status =
        bake.stands ? outputs_list(world, &bake.outputs, err) : error_set(err, STATUS_LIMIT, "out of memory");
    if (status == STATUS_OK)
        status = plan(&bake, report, err);
    if (status == STATUS_OK)
        status = run_jobs(&bake, report, err);
    if (status == STATUS_OK && !options->dry_run)
        status = out_world_sweep(options->out, world, options->whole && !options->some_tools, options->notes,
                                 &bake.files.removed, err);
    if (status == STATUS_OK && !options->dry_run)
        status = write_world(world, options->out, err);
    bool whole = !options->some_tools && select_has_all(selection, world->extent.cells);
    if (status == STATUS_OK && !options->dry_run && options->notes && whole && bake.counted &&
        outputs_tool_on(world, TOOL_BIOMES))
        stands_report(world->recipe, bake.stands, options->notes);
    for (size_t i = 0; i < bake.map_count; i++) {
        publish_abandon(bake.maps[i].publish);
        pthread_mutex_destroy(&bake.maps[i].mutex);
    }
    report->files = bake.files;
    report->wall_s = os_wall_s() - wall_s;
    report->cpu_s = os_process_cpu_s() - cpu_s;
    if (status == STATUS_OK && !options->dry_run)
        status = timings_write(options->out, report, err);
    json_decref(bake.stands);
    outputs_free(&bake.outputs);
    free(bake.maps);
    free(bake.jobs);
    free(bake.contexts);
    free(bake.inputs[BAKE_SECTION]);
    free(bake.inputs[BAKE_SECTOR]);
    pthread_mutex_destroy(&bake.mutex);
    return status;
}
