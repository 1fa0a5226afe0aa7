#include "gen/world_build.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const format_words[] = {"png", "r16", "r32"};
static const char *const sample_words[] = {"cells", "posts"};
static const char *const missing_words[] = {"error", "void"};
static const char *const upsample_words[] = {"refuse", "bicubic"};
static const char *const endian_words[] = {"little", "big"};

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* By `format`, or by the name's end. */
static void read_format(struct world_build *b, struct yaml_node *map) {
    struct source *s = &b->world->height.source;
    const char *name = s->file_count > 0 && s->files[0].name ? s->files[0].name : s->pattern;
    int32_t format = RASTER_PNG;
    bool written = yaml_get_enum(map, "format", format_words, 3, &format, b->report);
    if (!written && name) {
        format = ends_with(name, ".r16") ? RASTER_R16 : ends_with(name, ".r32") ? RASTER_R32 : RASTER_PNG;
        if (ends_with(name, ".raw"))
            yaml_complain(yaml_get(map, "files"), b->report,
                          "'%s': a raw file needs format: r16 or format: r32", name);
    }
    s->format = (enum raster_format)format;
}

static void read_raw(struct world_build *b, struct yaml_node *map) {
    struct world_height *h = &b->world->height;
    int32_t endian = 0;
    struct yaml_node *size = yaml_get(map, "size_px");
    bool has_endian = yaml_get(map, "endian") != NULL;
    if (h->source.format == RASTER_PNG) {
        if (size)
            yaml_complain(size, b->report, "'size_px' is for raw heights: a PNG knows its size");
        if (has_endian)
            yaml_complain(yaml_get(map, "endian"), b->report, "'endian' is for raw heights");
        return;
    }
    if (!has_endian)
        yaml_complain(map, b->report, "'endian' is missing in height: raw heights are little or big");
    yaml_get_enum(map, "endian", endian_words, 2, &endian, b->report);
    h->big_endian = endian == 1;
    if (size && h->source.file_count > 0 && !h->source.files[0].whole)
        yaml_complain(size, b->report,
                      "'size_px' is for one file: the size of maps' files follows from theirs");
}

/* The power of two by which the spacing is finer than the cell. */
static bool spacing_log2(double cell_m, double spacing_m, int32_t *log2) {
    for (int32_t k = -SOURCE_LOG2_MAX; k <= SOURCE_LOG2_MAX; k++) {
        double at = k >= 0 ? cell_m / (double)(1 << k) : cell_m * (double)(1 << -k);
        if (fabs(at - spacing_m) <= 1e-6 * at) {
            *log2 = k;
            return true;
        }
    }
    return false;
}

static bool is_multiple(struct rect r, int32_t log2) {
    int32_t n = log2 < 0 ? 1 << -log2 : 1;
    return r.x0 % n == 0 && r.y0 % n == 0 && r.x1 % n == 0 && r.y1 % n == 0;
}

static void read_spacing(struct world_build *b, struct yaml_node *map) {
    struct world_height *h = &b->world->height;
    const struct extent *e = &b->world->extent;
    int32_t upsample = UPSAMPLE_REFUSE;
    h->spacing_m = e->cell_m;
    b->spacing_known = b->extent_known && !yaml_get(map, "spacing_m");
    yaml_get_enum(map, "upsample", upsample_words, 2, &upsample, b->report);
    h->upsample = (enum upsample)upsample;
    if (!yaml_get_f64(map, "spacing_m", 1e-4, 1e5, "m", &h->spacing_m, b->report) || !b->extent_known)
        return;
    const struct yaml_node *at = yaml_get(map, "spacing_m");
    int32_t *log2 = &h->source.fine_log2;
    if (!spacing_log2(e->cell_m, h->spacing_m, log2)) {
        yaml_complain(at, b->report,
                      "'spacing_m' is %.12g m: must be the cell, %.12g m, or a half, a quarter ... or twice, "
                      "four times ... of it",
                      h->spacing_m, e->cell_m);
        return;
    }
    h->spacing_m = *log2 >= 0 ? e->cell_m / (double)(1 << *log2) : e->cell_m * (double)(1 << -*log2);
    if (*log2 < 0 && h->upsample == UPSAMPLE_REFUSE)
        yaml_complain(
            at, b->report,
            "'spacing_m' is %.12g m, coarser than the cell of %.12g m: make the cell larger, or say "
            "upsample: bicubic",
            h->spacing_m, e->cell_m);
    else if (!is_multiple(e->cells, *log2))
        yaml_complain(at, b->report,
                      "'spacing_m' is %.12g m: the world's origin and size must be multiples of it",
                      h->spacing_m);
    else
        b->spacing_known = true;
}

static void read_range(struct world_build *b, struct yaml_node *map) {
    struct world_height *h = &b->world->height;
    bool has_min = yaml_get(map, "z_min_m") != NULL, has_max = yaml_get(map, "z_max_m") != NULL;
    bool metres = h->source.format == RASTER_R32;
    if ((!metres || has_max) && !has_min)
        yaml_complain(map, b->report, "'z_min_m' is missing in height: the height of code 0");
    if ((!metres || has_min) && !has_max)
        yaml_complain(map, b->report, "'z_max_m' is missing in height: the height of the largest code");
    bool good = yaml_get_f64(map, "z_min_m", -HEIGHT_MAX_M, HEIGHT_MAX_M, "m", &h->z_min_m, b->report);
    good = yaml_get_f64(map, "z_max_m", -HEIGHT_MAX_M, HEIGHT_MAX_M, "m", &h->z_max_m, b->report) && good;
    if (good && h->z_max_m <= h->z_min_m)
        yaml_complain(yaml_get(map, "z_max_m"), b->report, "'z_max_m' must be above z_min_m, %.12g m",
                      h->z_min_m);
}

static void read_nodata(struct world_build *b, struct yaml_node *map) {
    struct world_height *h = &b->world->height;
    const struct yaml_node *at = yaml_get(map, "nodata");
    if (!at || (at->kind == YAML_SCALAR && strcmp(at->text, "none") == 0))
        return;
    bool metres = h->source.format == RASTER_R32;
    bool nan = at->kind == YAML_SCALAR && (strcmp(at->text, "nan") == 0 || strcmp(at->text, ".nan") == 0 ||
                                           strcmp(at->text, ".NaN") == 0 || strcmp(at->text, "NaN") == 0);
    int64_t code = 0;
    if (metres && nan)
        h->has_nodata = h->nodata_is_nan = true;
    else if (metres)
        h->has_nodata = yaml_as_f64(at, "nodata", -3.4e38, 3.4e38, "m", &h->nodata, b->report);
    else if (nan || !yaml_as_i64(at, "nodata", 0, 65535, &code, b->report)) {
        if (nan)
            yaml_complain(at, b->report, "'nodata' must be a code or none: only r32 holds nan");
    } else {
        h->has_nodata = true;
        h->nodata = (double)code;
    }
}

static void read_policies(struct world_build *b, struct yaml_node *map) {
    struct world_height *h = &b->world->height;
    int32_t missing = MISSING_ERROR, samples = SAMPLES_CELLS;
    yaml_get_enum(map, "missing", missing_words, 2, &missing, b->report);
    yaml_get_enum(map, "samples", sample_words, 2, &samples, b->report);
    h->missing = (enum missing_policy)missing;
    h->samples = (enum height_samples)samples; /* absent: by the files, in the second pass */
}

/* Names only; whether anybody makes them is asked at the end of world_load. */
static void read_output_layers(struct world_build *b, const struct yaml_node *list) {
    struct output_settings *o = &b->world->output;
    size_t count = list ? list->count : 0;
    o->layers = build_alloc(b, count, sizeof *o->layers);
    for (size_t i = 0; o->layers && i < count; i++) {
        const char *name;
        if (yaml_as_text(list->items[i], "output.layers", &name, b->report) &&
            (o->layers[o->layer_count] = build_copy(b, name)))
            o->layer_count++;
    }
}

/* Up to four radii of agents, rising. */
static void read_agents(struct world_build *b, const struct yaml_node *list) {
    struct output_settings *o = &b->world->output;
    const size_t room = sizeof o->agent_m / sizeof *o->agent_m;
    if (!list) {
        o->agent_m[0] = 0.5;
        o->agent_m[1] = 1.5;
        o->agent_count = 2;
        return;
    }
    if (list->count > room)
        yaml_complain(list, b->report, "'output.clearance_m' holds at most %zu radii", room);
    for (size_t i = 0; i < list->count && i < room; i++) {
        char name[40];
        snprintf(name, sizeof name, "output.clearance_m[%zu]", i);
        if (!yaml_as_f64(list->items[i], name, 0.0, 16.0, "m", &o->agent_m[i], b->report))
            continue;
        if (i > 0 && o->agent_m[i] <= o->agent_m[i - 1])
            yaml_complain(list->items[i], b->report, "'output.clearance_m' must rise: %g follows %g",
                          o->agent_m[i], o->agent_m[i - 1]);
        o->agent_count = i + 1;
    }
}

/* Of height.png. The default leaves 2 % of the range free at each end. */
static void read_output(struct world_build *b, struct yaml_node *height) {
    struct world *w = b->world;
    struct output_settings *o = &w->output;
    double headroom_m = 0.02 * (w->height.z_max_m - w->height.z_min_m);
    o->height_min_m = w->height.z_min_m - headroom_m;
    o->height_max_m = w->height.z_max_m + headroom_m;
    struct yaml_node *output = yaml_get_map(b->yaml, "output", b->report);
    struct yaml_node *map = yaml_get_map(output, "height", b->report);
    read_output_layers(b, yaml_get_list(output, "layers", b->report));
    read_agents(b, yaml_get_list(output, "clearance_m", b->report));
    yaml_unknown_keys(output, "output", b->report);
    bool has_min = yaml_get_f64(map, "min_m", -1e5, 1e5, "m", &o->height_min_m, b->report);
    bool has_max = yaml_get_f64(map, "max_m", -1e5, 1e5, "m", &o->height_max_m, b->report);
    yaml_unknown_keys(map, "output.height", b->report);
    bool range_known = w->height.z_max_m > w->height.z_min_m;
    if (height && w->height.source.format == RASTER_R32 && !range_known && !(has_min && has_max))
        yaml_complain(height, b->report,
                      "r32 heights do not tell their range: give output: {height: {min_m: ..., max_m: ...}}");
    else if ((has_min || has_max) && o->height_max_m <= o->height_min_m)
        yaml_complain(map, b->report, "output.height is empty: min_m is %.12g, max_m is %.12g",
                      o->height_min_m, o->height_max_m);
}

void build_height(struct world_build *b) {
    struct yaml_node *map = yaml_get_map(b->yaml, "height", b->report);
    if (!yaml_get(b->yaml, "height"))
        yaml_complain(b->yaml, b->report, "'height' is missing: {files: ..., z_min_m: ..., z_max_m: ...}");
    if (map) {
        build_source(b, "height", map, &b->world->height.source);
        read_format(b, map);
        read_raw(b, map);
        read_spacing(b, map);
        read_range(b, map);
        read_nodata(b, map);
        read_policies(b, map);
        yaml_unknown_keys(map, "height", b->report);
    }
    read_output(b, map);
}
