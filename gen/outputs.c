#include "gen/outputs.h"
#include "biome/recipe.h"
#include "gen/names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* height_delta's step and zero: code 32768 is 0 m, one code 1/512 m, so -64 .. +63.998 m. */
static const double DELTA_STEP_M = 1.0 / 512.0;

/* Outputs that every world has when some stage makes their layer. */
static const struct {
    enum output_form form;
    const char *name, *file, *layer;
    int32_t tool;
} fixed_outputs[] = {
    {OUTPUT_RASTER, "height", "height.png", "height", OUTPUT_ALWAYS},
    {OUTPUT_RASTER, "height_delta", "height_delta.png", "height_delta", OUTPUT_ALWAYS},
    {OUTPUT_RASTER, "texture_id", "texture_id.png", "texture_id", OUTPUT_ALWAYS},
    {OUTPUT_RASTER, "tint", "tint.png", "tint", OUTPUT_ALWAYS},
    {OUTPUT_RASTER, "biome_id", "biome_id.png", "biome_id", TOOL_BIOMES},
    {OUTPUT_RASTER, "zone_id", "zone_id.png", "zone_id", TOOL_BIOMES},
    {OUTPUT_RASTER, "water", "water.png", "water", TOOL_FRESHWATER},
    {OUTPUT_RASTER, "watershore", "watershore.png", "watershore", TOOL_FRESHWATER},
    {OUTPUT_RASTER, "water_depth", "water_depth.png", "water_depth", TOOL_FRESHWATER},
    {OUTPUT_RASTER, "water_kind", "water_kind.png", "water_kind", TOOL_FRESHWATER},
    {OUTPUT_RASTER, "dampness", "dampness.png", "dampness", TOOL_FRESHWATER},
    {OUTPUT_RASTER, "flow_dir", "flow_dir.png", "flow_dir", TOOL_FRESHWATER},
    {OUTPUT_RASTER, "cliffs", "cliffs.png", "cliffs", TOOL_CLIFFS},
    {OUTPUT_RASTER, "cliffs_color", "cliffs_color.png", "cliffs_color", TOOL_CLIFFS},
    {OUTPUT_RASTER, "cliff_bed", "cliff_bed.png", "cliff_bed", TOOL_CLIFFS},
    {OUTPUT_RASTER, "erosion", "erosion.png", "erosion", TOOL_CLIFFS},
    {OUTPUT_RASTER, "ledges", "ledges.png", "ledges", TOOL_CLIFFS},
    {OUTPUT_FILE, "cliff_glb", "cliff.glb", "cliff_glb", TOOL_CLIFFS},
    {OUTPUT_FILE, "water_glb", "water.glb", "water_glb", TOOL_FRESHWATER},
    {OUTPUT_POINTS, "points", "points.ply", "entities", TOOL_BIOMES},
};

bool outputs_tool_on(const struct world *world, int32_t tool) {
    if (tool == OUTPUT_ALWAYS)
        return true;
    if (tool == TOOL_BIOMES && !world->recipe)
        return false;
    for (size_t i = 0; i < world->tool_count; i++)
        if ((int32_t)world->tools[i] == tool)
            return true;
    return false;
}

static enum status add(struct output_list *list, const struct output *output, struct error *err) {
    struct output *more = realloc(list->items, (list->count + 1) * sizeof *more);
    if (!more)
        return error_set(err, STATUS_LIMIT, "out of memory");
    list->items = more;
    more[list->count++] = *output;
    return STATUS_OK;
}

static bool is_altitude(const char *layer) {
    static const char *const names[] = {"height", "height_in", "height_raw", "altitude"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(layer, names[i]) == 0)
            return true;
    return false;
}

/* How the layer's values become codes. */
static enum status set_encoding(const struct world *world, const struct layer_info *layer,
                                struct output *output, struct error *err) {
    output->posts = layer->like_heights && world->height.samples == SAMPLES_POSTS;
    output->scale = layer->scale;
    output->offset = layer->offset;
    output->unit = layer->unit ? layer->unit : "";
    if (layer->coarse_log2)
        return error_set(err, STATUS_INPUT,
                         "output.layers: %s is coarser than a cell and cannot be an output", output->name);
    switch (layer->type) {
    case LAYER_U8:
        output->kind = KIND_GREY8;
        return STATUS_OK;
    case LAYER_U16:
        output->kind = KIND_GREY16;
        return STATUS_OK;
    case LAYER_RGB8:
        output->kind = KIND_RGB8;
        return STATUS_OK;
    case LAYER_F32:
        break;
    case LAYER_I32:
    case LAYER_BLOB:
        return error_set(err, STATUS_INPUT, "output.layers: %s is not a raster that a PNG can hold",
                         output->name);
    }
    output->kind = KIND_GREY16;
    double min = layer->min, max = layer->max;
    if (is_altitude(layer->name)) { /* all on one scale: they can be compared code by code */
        min = world->output.height_min_m;
        max = world->output.height_max_m;
    } else if (strcmp(layer->name, "height_delta") == 0) {
        output->scale = DELTA_STEP_M;
        output->offset = -32768.0 * DELTA_STEP_M;
        return STATUS_OK;
    }
    if (!(max > min))
        return error_set(err, STATUS_INPUT,
                         "output.layers: the range of %s is not known beforehand, so no PNG can hold it; "
                         "`terrane layer` writes it as numbers",
                         output->name);
    output->scale = (max - min) / 65535.0;
    output->offset = min;
    return STATUS_OK;
}

static enum status add_raster(const struct world *world, struct output_list *list, const char *name,
                              const char *layer_name, int32_t tool, struct error *err) {
    const struct layer_info *layer = gen_layer_info(world, layer_name);
    if (!layer)
        return STATUS_OK;
    struct output output = {.form = OUTPUT_RASTER, .tool = tool, .unit = ""};
    snprintf(output.name, sizeof output.name, "%s", name);
    snprintf(output.file, sizeof output.file, "%s.png", name);
    snprintf(output.layer, sizeof output.layer, "%s", layer_name);
    enum status status = set_encoding(world, layer, &output, err);
    return status == STATUS_OK ? add(list, &output, err) : status;
}

/* What output.layers names: a painted mask by its bare name, a noise, any abiotic layer. */
static enum status add_named(const struct world *world, struct output_list *list, const char *name,
                             struct error *err) {
    if (strlen(name) + 5 > OUTPUT_NAME_MAX || strchr(name, '/') || name[0] == '.')
        return error_set(err, STATUS_INPUT, "output.layers: '%s' cannot be a file's name", name);
    if (outputs_find(list, name))
        return STATUS_OK;
    if (gen_layer_info(world, name))
        return add_raster(world, list, name, name, OUTPUT_ALWAYS, err);
    const char *const *names;
    size_t count = gen_layer_names(world, &names);
    const char *near = report_suggest(name, names, count);
    enum status status =
        near ? error_set(err, STATUS_INPUT, "output.layers: there is no layer '%s'; did you mean '%s'?", name,
                         near)
             : error_set(err, STATUS_INPUT, "output.layers: there is no layer '%s'", name);
    free((void *)(uintptr_t)names);
    return status;
}

/* The masks that the recipe's species write: mask_<name>. */
static enum status add_masks(const struct world *world, struct output_list *list, struct error *err) {
    const struct recipe *recipe = world->recipe;
    for (int32_t i = 0; recipe && i < recipe->mask_count; i++) {
        char name[OUTPUT_NAME_MAX - 4];
        if (strlen(recipe->masks[i]) + 6 > sizeof name)
            return error_set(err, STATUS_INPUT, "the mask's name is too long: %s", recipe->masks[i]);
        snprintf(name, sizeof name, "mask_%s", recipe->masks[i]);
        enum status status = add_raster(world, list, name, name, TOOL_BIOMES, err);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Without zones zone_id would be biome_id again. */
static bool lacks_zones(const struct world *world, const char *name) {
    return strcmp(name, "zone_id") == 0 && world->recipe->biome_count == world->recipe->main_count;
}

enum status outputs_list(const struct world *world, struct output_list *list, struct error *err) {
    *list = (struct output_list){NULL, 0};
    enum status status = STATUS_OK;
    size_t fixed = sizeof fixed_outputs / sizeof *fixed_outputs;
    for (int32_t pass = 0; pass < 2; pass++) { /* rasters, masks and named ones, then the sectors' files */
        for (size_t i = 0; status == STATUS_OK && i < fixed; i++) {
            if ((fixed_outputs[i].form == OUTPUT_RASTER) != (pass == 0) ||
                !outputs_tool_on(world, fixed_outputs[i].tool) || lacks_zones(world, fixed_outputs[i].name) ||
                !gen_layer_info(world, fixed_outputs[i].layer))
                continue;
            if (pass == 0) {
                status = add_raster(world, list, fixed_outputs[i].name, fixed_outputs[i].layer,
                                    fixed_outputs[i].tool, err);
                continue;
            }
            struct output output = {.form = fixed_outputs[i].form, .tool = fixed_outputs[i].tool, .unit = ""};
            snprintf(output.name, sizeof output.name, "%s", fixed_outputs[i].name);
            snprintf(output.file, sizeof output.file, "%s", fixed_outputs[i].file);
            snprintf(output.layer, sizeof output.layer, "%s", fixed_outputs[i].layer);
            status = add(list, &output, err);
        }
        if (pass == 0 && status == STATUS_OK && outputs_tool_on(world, TOOL_BIOMES))
            status = add_masks(world, list, err);
        for (size_t i = 0; pass == 0 && status == STATUS_OK && i < world->output.layer_count; i++)
            status = add_named(world, list, world->output.layers[i], err);
    }
    if (status != STATUS_OK)
        outputs_free(list);
    return status;
}

enum status outputs_check_named(const struct world *world, const char *name, struct error *err) {
    struct output_list list = {NULL, 0};
    enum status status = add_named(world, &list, name, err);
    outputs_free(&list);
    return status;
}

void outputs_free(struct output_list *list) {
    free(list->items);
    *list = (struct output_list){NULL, 0};
}

const struct output *outputs_find(const struct output_list *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

/* One row of values to 16-bit codes. Returns how many were clamped; *first is the first's column. */
static int32_t encode_row(const struct output *output, const float *values, int32_t count, unsigned char *out,
                          int32_t *first) {
    double offset = output->offset, scale = output->scale;
    int32_t clamped = 0;
    for (int32_t x = 0; x < count; x++) {
        double code = floor(((double)values[x] - offset) / scale + 0.5);
        bool in = code >= 0 && code <= 65535; /* false for NaN */
        if (!in) {
            if (clamped++ == 0)
                *first = x;
            code = code > 65535 ? 65535 : 0;
        }
        uint16_t c = (uint16_t)code;
        memcpy(out + 2 * (size_t)x, &c, sizeof c);
    }
    return clamped;
}

enum status output_encode(const struct output *output, const struct window *window, struct rect cells,
                          struct raster *image, struct output_clamped *clamped, struct error *err) {
    *clamped = (struct output_clamped){0, 0, 0};
    *image = (struct raster){.samples = NULL};
    int32_t more = output->posts ? 1 : 0;
    int32_t width = cells.x1 - cells.x0 + more, height = cells.y1 - cells.y0 + more;
    enum layer_type type = window->layer->type;
    if (output->form != OUTPUT_RASTER || window->posts != output->posts ||
        (type != LAYER_U8 && type != LAYER_U16 && type != LAYER_RGB8 && type != LAYER_F32))
        return error_set(err, STATUS_FAULT, "the window is not what the output '%s' is made from",
                         output->name);
    enum status status = raster_new(output->kind, width, height, image, err);
    if (status != STATUS_OK)
        return status;
    size_t row_size = raster_row_size(image);
    for (int32_t y = 0; y < height; y++) {
        unsigned char *row = image->samples + (size_t)y * row_size;
        int32_t wy = cells.y0 + y, first = 0;
        if (type == LAYER_U16) {
            memcpy(row, grid_u16_at(&window->u16, cells.x0, wy), row_size);
        } else if (type == LAYER_F32) {
            int32_t n = encode_row(output, grid_f32_at(&window->f32, cells.x0, wy), width, row, &first);
            if (n > 0 && clamped->count == 0) {
                clamped->x = cells.x0 + first;
                clamped->y = wy;
            }
            clamped->count += (uint64_t)n;
        } else { /* u8, or three bytes a cell: the grid's x0 counts cells, its width bytes */
            const struct grid_u8 *g = &window->u8;
            size_t at = (size_t)(cells.x0 - g->x0) * raster_pixel_size(output->kind);
            memcpy(row, g->cells + (ptrdiff_t)(wy - g->y0) * g->stride + at, row_size);
        }
    }
    return STATUS_OK;
}
