#include "gen/publish.h"
#include "gen/bytes.h"
#include "gen/entity.h"
#include "gen/os.h"
#include "gen/out_world.h"
#include "gen/ply.h"
#include "gen/png_put.h"
#include "gen/png_write.h"
#include "gen/publish_bands.h"
#include "gen/publish_clean.h"
#include "gen/stands.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OBJECT_ID_AT = 44 }; /* in an entity's record */

struct publish {
    const struct world *world;
    int32_t map_x, map_y;
    char dir[PATH_TEXT_MAX];  /* the map's folder */
    struct os_lock writers;   /* shared, as long as we may leave temporaries */
    pthread_mutex_t mutex;    /* guards what follows */
    json_t *old_outputs;      /* the manifest's when we began, */
    struct hash128 old_hash;  /* and its bytes; 0: there was none */
    json_t *old_jobs;         /* .fresh.json when we began, */
    struct hash128 old_fresh; /* and its bytes */
    json_t *outputs;          /* path -> entry: what was written now */
    json_t *gone;             /* path -> true: has nothing to say any more */
    json_t *jobs;             /* job -> {files: {path: [size, time, hash of the entry]}, inputs, done} */
    json_t *stands;   /* path -> the same, then the file's hash: what we wrote, or found right (without) */
    json_t *complete; /* "c13_11", "s53_43", "map" -> true */
    bool news;        /* a job has run */
    struct publish_counts counts;
};

static enum status no_memory(struct error *err) {
    return error_set(err, STATUS_LIMIT, "out of memory");
}

/* .fresh.json as it is now, a copy of its own. It only saves work: a damaged one is an absent one. */
static json_t *read_fresh(struct publish *p) {
    char path[PATH_TEXT_MAX];
    json_t *root = NULL;
    unsigned char *bytes;
    size_t size;
    if (path_format(path, NULL, "%s/.fresh.json", p->dir) == STATUS_OK &&
        os_read_file(path, (size_t)64 << 20, &bytes, &size, NULL) == STATUS_OK) {
        struct hash128 is = bytes_hash(bytes, size);
        bool same = p->old_jobs && is.lo == p->old_fresh.lo && is.hi == p->old_fresh.hi;
        root = same ? json_copy(p->old_jobs) : json_loadb((const char *)bytes, size, 0, NULL);
        p->old_fresh = is;
        free(bytes);
    }
    if (json_is_object(root))
        return root;
    json_decref(root);
    return json_object();
}

/* The manifest's outputs as they are now: a copy of their own. */
static enum status read_old(struct publish *p, json_t **outputs, struct error *err) {
    char path[PATH_TEXT_MAX];
    json_t *root = NULL;
    struct hash128 was = p->old_hash, is = was;
    bool first = !p->old_outputs, damaged = false;
    enum status status = path_format(path, err, "%s/manifest.json", p->dir);
    if (status == STATUS_OK)
        status = manifest_read_new(path, &is, &root, &damaged, err);
    if (damaged) { /* it is written anew */
        p->counts.anew = 1;
        status = STATUS_OK;
    }
    if (status != STATUS_OK)
        return status;
    if (root)
        status = out_world_fits(json_object_get(root, "world"), p->world, path, err);
    bool same = !root && !damaged && !first && is.lo == was.lo && is.hi == was.hi;
    if (status == STATUS_OK) {
        *outputs = same   ? json_copy(p->old_outputs)
                   : root ? json_incref(json_object_get(root, "outputs"))
                          : json_object();
        status = *outputs ? STATUS_OK : no_memory(err);
    }
    if (first)
        p->old_hash = is;
    json_decref(root);
    return status;
}

bool publish_has_folder(const char *out, int32_t map_x, int32_t map_y) {
    char dir[PATH_TEXT_MAX];
    struct os_info info;
    return path_format(dir, NULL, "%s/maps/x%d_y%d", out, map_x, map_y) == STATUS_OK &&
           os_info(dir, &info, NULL) == STATUS_OK && info.kind == OS_DIR;
}

enum status publish_open(const struct world *world, const char *out, int32_t map_x, int32_t map_y,
                         struct publish **publish, struct error *err) {
    *publish = NULL;
    struct publish *p = calloc(1, sizeof *p);
    if (!p)
        return no_memory(err);
    *p = (struct publish){.world = world, .map_x = map_x, .map_y = map_y, .writers = {-1}};
    pthread_mutex_init(&p->mutex, NULL);
    enum status status = path_format(p->dir, err, "%s/maps/x%d_y%d", out, map_x, map_y);
    if (status == STATUS_OK)
        status = os_make_dirs(p->dir, err);
    if (status == STATUS_OK)
        status = publish_clean(p->dir, &p->writers, err);
    if (status == STATUS_OK)
        status = read_old(p, &p->old_outputs, err);
    if (status == STATUS_OK) {
        p->old_jobs = read_fresh(p);
        p->outputs = json_object();
        p->gone = json_object();
        p->jobs = json_object();
        p->stands = json_object();
        p->complete = json_object();
        if (!p->old_jobs || !p->outputs || !p->gone || !p->jobs || !p->stands || !p->complete)
            status = no_memory(err);
    }
    if (status != STATUS_OK) {
        publish_abandon(p);
        return status;
    }
    *publish = p;
    return STATUS_OK;
}

void publish_abandon(struct publish *p) {
    if (!p)
        return;
    os_lock_drop(&p->writers);
    json_decref(p->old_outputs);
    json_decref(p->old_jobs);
    json_decref(p->outputs);
    json_decref(p->gone);
    json_decref(p->jobs);
    json_decref(p->stands);
    json_decref(p->complete);
    pthread_mutex_destroy(&p->mutex);
    free(p);
}

/* Whether the file has the size and time that .fresh.json (or `stands`) keeps. */
static bool is_as_was(const struct publish *p, const char *path, const json_t *was) {
    char full[PATH_TEXT_MAX];
    struct os_info info;
    return path_format(full, NULL, "%s/%s", p->dir, path) == STATUS_OK &&
           os_info(full, &info, NULL) == STATUS_OK && info.kind == OS_FILE &&
           (json_int_t)info.size == json_integer_value(json_array_get(was, 0)) &&
           json_is_number(json_array_get(was, 1)) &&
           info.modified_s == json_number_value(json_array_get(was, 1));
}

/* An entry of the manifest, so that one that was altered is noticed. */
static void entry_hash(const json_t *entry, char hash[HASH_TEXT_SIZE]) {
    char *text = entry ? manifest_text(entry) : NULL;
    hash[0] = '\0';
    if (text)
        hash128_text(bytes_hash(text, strlen(text)), hash);
    free(text);
}

static bool files_fresh(const struct publish *p, json_t *files) {
    const char *path;
    json_t *was;
    json_object_foreach(files, path, was) {
        char hash[HASH_TEXT_SIZE];
        const char *had = json_string_value(json_array_get(was, 2));
        entry_hash(json_object_get(p->old_outputs, path), hash);
        if (!had || strcmp(had, hash) != 0 || !is_as_was(p, path, was))
            return false;
    }
    return true;
}

/* Of all broken budgets the first by path is told. */
static void count_budgets(struct publish *p, const char *path, const json_t *entry) {
    char text[BUDGET_TEXT_MAX];
    int32_t broken = budgets_broken(p->world, path, entry, text, NULL);
    if (broken && (p->counts.over == 0 || strcmp(text, p->counts.over_first) < 0))
        snprintf(p->counts.over_first, sizeof p->counts.over_first, "%s", text);
    p->counts.over += broken;
}

bool publish_fresh(struct publish *p, const char *job, struct hash128 inputs) {
    char text[HASH_TEXT_SIZE];
    hash128_text(inputs, text);
    pthread_mutex_lock(&p->mutex);
    json_t *was = json_object_get(p->old_jobs, job), *files = json_object_get(was, "files");
    const char *made_from = json_string_value(json_object_get(was, "inputs"));
    bool fresh = made_from && strcmp(made_from, text) == 0 && json_is_object(files) && files_fresh(p, files);
    if (fresh) {
        const char *path;
        json_t *value;
        json_object_foreach(files, path, value) {
            json_t *entry = json_object_get(p->old_outputs, path);
            json_object_set(p->outputs, path, entry);
            json_object_set(p->stands, path, value);
            p->counts.clamped += json_integer_value(json_object_get(entry, "clamped"));
            p->counts.entities += json_integer_value(json_object_get(entry, "entities"));
            count_budgets(p, path, entry);
            p->counts.kept++;
        }
        json_object_set(p->jobs, job, was);
    }
    pthread_mutex_unlock(&p->mutex);
    return fresh;
}

static bool same_bytes(const char *path, const void *bytes, size_t size, struct os_info *info) {
    unsigned char *there;
    size_t there_size;
    if (os_info(path, info, NULL) != STATUS_OK || info->kind != OS_FILE || info->size != size ||
        os_read_file(path, size, &there, &there_size, NULL) != STATUS_OK)
        return false;
    bool same = there_size == size && memcmp(there, bytes, size) == 0;
    free(there);
    return same;
}

/* Under the mutex: the job's files, made when absent. */
static json_t *job_files(struct publish *p, const char *job) {
    if (!json_object_get(p->jobs, job))
        json_object_set_new(p->jobs, job, json_pack("{s:{}}", "files"));
    return json_object_get(json_object_get(p->jobs, job), "files");
}

/* Under the mutex: what stands at the path now. */
static bool note_file(struct publish *p, const char *job, const char *path, const struct os_info *info,
                      const json_t *entry, struct hash128 hash) {
    char text[HASH_TEXT_SIZE], of_entry[HASH_TEXT_SIZE];
    hash128_text(hash, text);
    entry_hash(entry, of_entry);
    json_int_t size = (json_int_t)info->size;
    double time_s = info->modified_s;
    return json_object_set_new(job_files(p, job), path, json_pack("[I,f,s]", size, time_s, of_entry)) == 0 &&
           json_object_set_new(p->stands, path, json_pack("[I,f,s,s]", size, time_s, of_entry, text)) == 0;
}

/* The file's path in the map's folder and in full, its folder made. */
static enum status place(const struct publish *p, const struct path_name *name, char path[PATH_TEXT_MAX],
                         char full[PATH_TEXT_MAX], struct error *err) {
    enum status status = path_of(name, path, err);
    if (status == STATUS_OK)
        status = path_format(full, err, "%s/%s", p->dir, path);
    if (status != STATUS_OK)
        return status;
    char *slash = strrchr(full, '/');
    *slash = '\0';
    status = os_make_dirs(full, err);
    *slash = '/';
    return status;
}

/* Notes the entry (taken over; NULL: out of memory) of what was put, or found right, at a path. */
static enum status note_put(struct publish *p, const char *job, const char *path, const struct file_put *put,
                            json_t *entry, struct error *err) {
    enum status status = STATUS_OK;
    pthread_mutex_lock(&p->mutex);
    p->counts.clamped += json_integer_value(json_object_get(entry, "clamped"));
    p->counts.entities += json_integer_value(json_object_get(entry, "entities"));
    count_budgets(p, path, entry);
    p->counts.kept += put->kept;
    p->counts.written += !put->kept;
    p->counts.bytes += put->kept ? 0 : (int64_t)put->info.size;
    if (!entry || !note_file(p, job, path, &put->info, entry, put->bytes) ||
        json_object_set(p->outputs, path, entry) != 0)
        status = no_memory(err);
    pthread_mutex_unlock(&p->mutex);
    json_decref(entry);
    return status;
}

/* Writes the file unless it is there already, and notes its entry (taken over; NULL: out of memory). */
static enum status put_file(struct publish *p, const char *job, const struct path_name *name,
                            const void *bytes, size_t size, json_t *entry, struct error *err) {
    char path[PATH_TEXT_MAX], full[PATH_TEXT_MAX];
    struct file_put put = {.kept = false};
    enum status status = entry ? place(p, name, path, full, err) : no_memory(err);
    if (status == STATUS_OK && !(put.kept = same_bytes(full, bytes, size, &put.info)))
        status = os_write_file_info(full, bytes, size, &put.info, err);
    if (status != STATUS_OK) {
        json_decref(entry);
        return status;
    }
    put.bytes = bytes_hash(bytes, size);
    return note_put(p, job, path, &put, entry, err);
}

enum status publish_raster(struct publish *p, const char *job, const struct output *output, int32_t section_x,
                           int32_t section_y, const struct window *window, struct rect cells,
                           struct error *err) {
    struct raster image;
    struct output_clamped clamped;
    unsigned char *bytes = NULL;
    size_t size;
    enum status status = output_encode(output, window, cells, &image, &clamped, err);
    if (status == STATUS_OK)
        status = png_encode(&image, &bytes, &size, err);
    if (status == STATUS_OK) {
        struct path_name name = {LEVEL_SECTION, section_x, section_y, output->file};
        status =
            put_file(p, job, &name, bytes, size,
                     manifest_raster(output, cells.x0, cells.y0, &image, raster_hash(&image), &clamped), err);
    }
    free(bytes);
    raster_free(&image);
    return status;
}

/* The bands that the picture had, as far as they are known, behind room for its new ones. */
static struct png_band *bands_of(struct publish *p, const char *job, size_t room, size_t *was) {
    struct png_band *bands = calloc(2 * room, sizeof *bands);
    pthread_mutex_lock(&p->mutex);
    const json_t *list = json_object_get(json_object_get(p->old_jobs, job), "bands");
    *was = bands ? bands_parse(list, bands + room, room) : 0;
    pthread_mutex_unlock(&p->mutex);
    return bands;
}

static enum status note_bands(struct publish *p, const char *job, const struct png_band *bands, size_t count,
                              struct error *err) {
    pthread_mutex_lock(&p->mutex);
    bool ok = job_files(p, job) &&
              json_object_set_new(json_object_get(p->jobs, job), "bands", bands_json(bands, count)) == 0;
    pthread_mutex_unlock(&p->mutex);
    return ok ? STATUS_OK : no_memory(err);
}

enum status publish_preview(struct publish *p, const char *job, const struct raster_rows *image,
                            struct error *err) {
    char path[PATH_TEXT_MAX], full[PATH_TEXT_MAX];
    struct path_name name = {LEVEL_MAP, 0, 0, "preview.png"};
    struct file_put put;
    size_t count = png_band_count(image->kind, image->width, image->height), was;
    struct png_band *bands = bands_of(p, job, count, &was);
    enum status status = bands ? place(p, &name, path, full, err) : no_memory(err);
    if (status == STATUS_OK)
        status = png_put(full, image, bands + count, was, bands, &put, err);
    if (status == STATUS_OK)
        status = note_bands(p, job, bands, count, err);
    free(bands);
    if (status != STATUS_OK)
        return status;
    return note_put(p, job, path, &put, manifest_picture(image, put.samples), err);
}

static int by_u32(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Object id as text -> how many of the part show it. NULL: out of memory. */
static json_t *count_objects(const struct entity_part *part) {
    uint32_t *ids = malloc((part->count + 1) * sizeof *ids);
    json_t *counts = json_object();
    size_t stride = entity_stride(&part->schema), first = 0;
    if (!ids || !counts) {
        free(ids);
        json_decref(counts);
        return NULL;
    }
    for (size_t i = 0; i < part->count; i++)
        ids[i] = get_u32(part->records + i * stride + OBJECT_ID_AT);
    qsort(ids, part->count, sizeof *ids, by_u32);
    for (size_t i = 1; i <= part->count; i++) {
        if (i < part->count && ids[i] == ids[first])
            continue;
        char id[16];
        snprintf(id, sizeof id, "%u", (unsigned)ids[first]);
        json_object_set_new(counts, id, json_integer((json_int_t)(i - first)));
        first = i;
    }
    free(ids);
    return counts;
}

static enum status put_points(struct publish *p, const char *job, const struct output *output,
                              const struct path_name *name, const void *bytes, size_t size,
                              const struct clearance *clearance, struct error *err) {
    struct entity_part part;
    enum status status = entity_part_open(bytes, size, &part, err);
    if (status != STATUS_OK)
        return status;
    size_t body = part.count * entity_stride(&part.schema);
    json_t *counts = count_objects(&part), *species = stands_of_part(p->world->recipe, &part);
    unsigned char *file = malloc(PLY_HEADER_MAX + body);
    if (!file || !counts || !species) {
        free(file);
        json_decref(counts);
        json_decref(species);
        return no_memory(err);
    }
    size_t head = ply_header(&part.schema, part.count, (char *)file);
    memcpy(file + head, part.records, body);
    status =
        put_file(p, job, name, file, head + body,
                 manifest_points(output, bytes_hash(file, head + body), (int64_t)part.count, counts, species,
                                 &part.stock, clearance ? manifest_clearance(p->world, clearance) : NULL),
                 err);
    free(file);
    return status;
}

enum status publish_part(struct publish *p, const char *job, const struct output *output, int32_t sector_x,
                         int32_t sector_y, const void *part, size_t size, const struct clearance *clearance,
                         struct error *err) {
    struct path_name name = {LEVEL_SECTOR, sector_x, sector_y, output->file};
    if (size > 0 && output->form == OUTPUT_POINTS)
        return put_points(p, job, output, &name, part, size, clearance, err);
    if (size > 0)
        return put_file(p, job, &name, part, size, manifest_file(output, part, size), err);
    char path[PATH_TEXT_MAX];
    enum status status = path_of(&name, path, err);
    if (status != STATUS_OK)
        return status;
    pthread_mutex_lock(&p->mutex);
    if (json_object_set_new(p->gone, path, json_true()) != 0 || !job_files(p, job))
        status = no_memory(err);
    pthread_mutex_unlock(&p->mutex);
    return status;
}

enum status publish_job_done(struct publish *p, const char *job, struct hash128 inputs, struct error *err) {
    char text[HASH_TEXT_SIZE];
    hash128_text(inputs, text);
    pthread_mutex_lock(&p->mutex);
    p->news = true;
    bool ok = job_files(p, job) &&
              json_object_set_new(json_object_get(p->jobs, job), "inputs", json_string(text)) == 0;
    pthread_mutex_unlock(&p->mutex);
    return ok ? STATUS_OK : no_memory(err);
}

enum status publish_complete(struct publish *p, enum path_level level, int32_t x, int32_t y,
                             struct error *err) {
    char key[64];
    if (level == LEVEL_MAP)
        snprintf(key, sizeof key, "map");
    else
        snprintf(key, sizeof key, "%c%d_%d", level == LEVEL_SECTION ? 'c' : 's', x, y);
    pthread_mutex_lock(&p->mutex);
    bool ok = json_object_set_new(p->complete, key, json_true()) == 0;
    pthread_mutex_unlock(&p->mutex);
    return ok ? STATUS_OK : no_memory(err);
}

/* Whether a file of a map's folder can have this path. */
static bool is_output_path(const char *path) {
    struct path_name name;
    return path_parse(path, &name) && name.file[0] != '.' &&
           (name.level != LEVEL_MAP || strcmp(name.file, "preview.png") == 0);
}

/* Drops from `outputs` (the merged ones) what is gone or was not written again where all was; lists it. What
 * no bake has written (a damaged manifest) is dropped, but no file is touched for it. */
static enum status prune(struct publish *p, json_t *outputs, json_t *removed, struct error *err) {
    const char *path;
    json_t *entry;
    void *next;
    json_object_foreach_safe(outputs, next, path, entry) {
        char why[MANIFEST_WHY_MAX];
        bool ours = is_output_path(path) && manifest_sound(path, entry, why);
        bool gone = !ours || json_object_get(p->gone, path) || publish_covered(p->complete, path);
        if (!gone || json_object_get(p->outputs, path))
            continue;
        if (ours && json_object_set_new(removed, path, json_true()) != 0)
            return no_memory(err);
        json_object_del(outputs, path);
    }
    return STATUS_OK;
}

static void save_fresh(struct publish *p) {
    json_t *jobs = read_fresh(p);
    const char *path;
    json_t *job;
    void *next;
    json_object_foreach_safe(p->jobs, next, path, job) { /* a job that failed half-way promises nothing */
        if (!json_object_get(job, "inputs"))
            json_object_del(p->jobs, path);
    }
    json_object_update(jobs, p->jobs);
    char *text = manifest_text(jobs);
    char full[PATH_TEXT_MAX];
    if (text && path_format(full, NULL, "%s/.fresh.json", p->dir) == STATUS_OK)
        os_write_file(full, text, strlen(text), NULL); /* failing costs time later, nothing else */
    free(text);
    json_decref(jobs);
}

/* Whether what we wrote still stands. Others may have written the same bytes anew, but a bake of other inputs
 * into the same folder leaves a mixture that no manifest describes. */
static enum status check_stands(const struct publish *p, struct error *err) {
    const char *path;
    json_t *was;
    json_object_foreach(p->stands, path, was) {
        char full[PATH_TEXT_MAX], text[HASH_TEXT_SIZE] = "";
        unsigned char *bytes;
        size_t size;
        if (is_as_was(p, path, was))
            continue;
        enum status status = path_format(full, err, "%s/%s", p->dir, path);
        if (status != STATUS_OK)
            return status;
        const char *hash = json_string_value(json_array_get(was, 3));
        if (hash && os_read_file(full, (size_t)json_integer_value(json_array_get(was, 0)), &bytes, &size,
                                 NULL) == STATUS_OK) {
            hash128_text(bytes_hash(bytes, size), text);
            free(bytes);
        }
        if (!hash || strcmp(text, hash) != 0)
            return error_at(err, STATUS_FILE, full, 0, 0,
                            "another bake, of other inputs, wrote here at the same time: bake again when it "
                            "has ended");
    }
    return STATUS_OK;
}

/* Under the manifest's lock: what others published meanwhile stays. */
static enum status merge(struct publish *p, json_t **totals, struct error *err) {
    json_t *outputs = NULL, *removed = json_object();
    json_t *root = manifest_new(p->world, p->map_x, p->map_y);
    enum status status = root && removed ? STATUS_OK : no_memory(err);
    if (status == STATUS_OK)
        status = check_stands(p, err);
    if (status == STATUS_OK)
        status = read_old(p, &outputs, err);
    if (status == STATUS_OK && json_object_update(outputs, p->outputs) != 0)
        status = no_memory(err);
    if (status == STATUS_OK)
        status = prune(p, outputs, removed, err);
    if (status == STATUS_OK && json_object_set(root, "outputs", outputs) != 0)
        status = no_memory(err);
    if (status == STATUS_OK)
        status = manifest_save(root, p->world, p->dir, p->counts.written > 0, err);
    if (status == STATUS_OK) {
        if (p->news)
            save_fresh(p);
        status = publish_remove(p->dir, outputs, p->complete, removed, &p->counts.removed, err);
    }
    if (status == STATUS_OK && totals)
        *totals = json_incref(json_object_get(root, "totals"));
    json_decref(outputs);
    json_decref(removed);
    json_decref(root);
    return status;
}

enum status publish_commit(struct publish *p, struct publish_counts *counts, json_t **totals,
                           struct error *err) {
    char path[PATH_TEXT_MAX];
    struct os_lock lock = {-1};
    bool taken;
    if (totals)
        *totals = NULL;
    enum status status = path_format(path, err, "%s/.manifest.lock", p->dir);
    if (status == STATUS_OK)
        status = os_lock_take(path, true, true, &lock, &taken, err);
    if (status == STATUS_OK) {
        status = merge(p, totals, err);
        os_lock_drop(&lock);
    }
    if (counts)
        *counts = p->counts;
    publish_abandon(p);
    return status;
}
