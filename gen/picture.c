#include "gen/picture.h"
#include "gen/bytes.h"
#include "gen/png_write.h"
#include "gen/values.h"
#include "terrain/hash.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool starts(const char *text, const char *head) {
    return strncmp(text, head, strlen(head)) == 0;
}

static bool is_one_of(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

enum status picture_style_of(const struct world *world, const struct layer_info *layer,
                             struct picture_style *style, struct error *err) {
    static const char *const altitudes[] = {"altitude",   "altitude_in", "height", "height_in",
                                            "height_raw", "ground",      NULL};
    static const char *const ids[] = {"biome_id",      "zone_id",    "texture_id", "cliff_bed",
                                      "water_texture", "water_kind", NULL};
    *style = (struct picture_style){RAMP_GREY, layer->min, layer->max};
    if (layer->type == LAYER_BLOB)
        return error_set(err, STATUS_INPUT, "%s is no raster; it cannot be shown", layer->name);
    if (layer->type == LAYER_RGB8) {
        style->ramp = RAMP_RGB;
        return STATUS_OK;
    }
    if (is_one_of(layer->name, altitudes)) {
        *style =
            (struct picture_style){RAMP_ALTITUDE, world->output.height_min_m, world->output.height_max_m};
        return STATUS_OK;
    }
    if (is_one_of(layer->name, ids) || (starts(layer->name, "mask.") && layer->scale == 1.0)) {
        style->ramp = RAMP_IDS;
        return STATUS_OK;
    }
    if (strcmp(layer->unit ? layer->unit : "", "degrees") == 0 && layer->max >= 359)
        *style = (struct picture_style){RAMP_CIRCLE, 0, 360};
    else if (starts(layer->name, "curvature"))
        *style = (struct picture_style){RAMP_DIVERGING, -0.1, 0.1};
    else if (strcmp(layer->name, "flow") == 0)
        *style = (struct picture_style){RAMP_WATER, 0.1, 0.7};
    else if (starts(layer->name, "distance."))
        *style = (struct picture_style){RAMP_DISTANCE, -world->survey.distance_max_m,
                                        world->survey.distance_max_m};
    else if (strcmp(layer->name, "water_depth") == 0)
        *style = (struct picture_style){RAMP_DEPTH, 0, 4};
    else if (strcmp(layer->name, "wetness") == 0)
        *style = (struct picture_style){RAMP_WATER, -1, 1};
    else if (strcmp(layer->name, "water_speed") == 0)
        *style = (struct picture_style){RAMP_HEAT, 0, 4};
    else if (strcmp(layer->name, "twi") == 0)
        *style = (struct picture_style){RAMP_WATER, 2, 16};
    else if (strcmp(layer->name, "occlusion") == 0)
        *style = (struct picture_style){RAMP_HEAT, 0, 0.6};
    else if (strcmp(layer->name, "slope") == 0 || strcmp(layer->name, "illumination") == 0)
        style->ramp = RAMP_HEAT;
    else if (layer->min < 0 && layer->max > 0)
        style->ramp = RAMP_DIVERGING;
    if (style->high > style->low)
        return STATUS_OK;
    if (layer->type == LAYER_U8 || layer->type == LAYER_U16) { /* all that its codes can say */
        double scale = layer->scale == 0.0 ? 1 : layer->scale;
        style->low = layer->offset;
        style->high = layer->offset + scale * (layer->type == LAYER_U8 ? 255 : 65535);
        return STATUS_OK;
    }
    return error_set(err, STATUS_INPUT,
                     "the range of %s is not known beforehand, so it has no picture; write .r32 or .asc",
                     layer->name);
}

/* ---- ramps ---- */

struct stop {
    float at;
    uint8_t rgb[3];
};
static const struct stop grey[] = {{0, {0, 0, 0}}, {1, {255, 255, 255}}};
static const struct stop altitude[] = {
    {0.00f, {52, 98, 63}},   {0.20f, {108, 146, 82}},  {0.40f, {196, 190, 124}}, {0.60f, {176, 138, 92}},
    {0.78f, {134, 108, 92}}, {0.90f, {190, 184, 180}}, {1.00f, {255, 255, 255}}};
static const struct stop circle[] = {{0.00f, {228, 62, 58}},
                                     {0.25f, {236, 206, 66}},
                                     {0.50f, {64, 168, 88}},
                                     {0.75f, {62, 98, 200}},
                                     {1.00f, {228, 62, 58}}};
static const struct stop diverging[] = {
    {0.0f, {33, 78, 160}}, {0.5f, {246, 246, 244}}, {1.0f, {178, 32, 44}}};
static const struct stop heat[] = {{0.00f, {8, 6, 24}},
                                   {0.25f, {96, 20, 80}},
                                   {0.50f, {196, 56, 52}},
                                   {0.75f, {248, 164, 44}},
                                   {1.00f, {255, 252, 212}}};
static const struct stop water[] = {{0.00f, {244, 238, 220}},
                                    {0.35f, {206, 214, 190}},
                                    {0.55f, {112, 178, 190}},
                                    {0.80f, {34, 94, 168}},
                                    {1.00f, {8, 24, 88}}};

static const struct stop distance[] = {
    {0.00f, {10, 18, 60}},    {0.38f, {30, 84, 170}},   {0.47f, {120, 186, 226}},
    {0.50f, {255, 255, 255}}, {0.53f, {252, 226, 140}}, {0.58f, {246, 170, 70}},
    {0.68f, {214, 84, 50}},   {0.82f, {126, 30, 72}},   {1.00f, {36, 10, 42}}};
static const struct stop depth[] = {{0.000f, {244, 238, 220}}, {0.002f, {196, 234, 228}},
                                    {0.080f, {128, 206, 216}}, {0.300f, {52, 136, 194}},
                                    {0.700f, {20, 66, 142}},   {1.000f, {8, 20, 72}}};

static void from_stops(const struct stop *stops, size_t count, float t, uint8_t rgb[3]) {
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    size_t i = 1;
    while (i + 1 < count && t > stops[i].at)
        i++;
    const struct stop *a = &stops[i - 1], *b = &stops[i];
    float share = (t - a->at) / (b->at - a->at);
    for (int c = 0; c < 3; c++)
        rgb[c] = (uint8_t)((float)a->rgb[c] + share * (float)(b->rgb[c] - a->rgb[c]) + 0.5f);
}

static void id_color(float value, uint8_t rgb[3]) {
    uint64_t h = hash_mix((uint64_t)(int64_t)value * 0x9e3779b97f4a7c15u);
    for (int c = 0; c < 3; c++) {
        uint64_t level = 64 + (h >> (16 * c) & 127) + (h >> (16 * c + 7) & 63); /* at most 254 */
        rgb[c] = (uint8_t)(value == 0 ? 0 : level);
    }
}

#define COUNT(a) (sizeof(a) / sizeof *(a))

void picture_row(const struct picture_style *style, const float *values, int32_t count, uint8_t *rgb) {
    for (int32_t i = 0; i < count; i++, rgb += 3) {
        float v = values[i];
        if (!(v - v == 0)) { /* NaN and the infinities */
            rgb[0] = rgb[2] = 255;
            rgb[1] = 0;
            continue;
        }
        double low = style->low, high = style->high;
        if (style->ramp == RAMP_DIVERGING) { /* 0 is in the middle */
            high = high > -low ? high : -low;
            low = -high;
        }
        float t = (float)(((double)v - low) / (high - low));
        switch (style->ramp) {
        case RAMP_ALTITUDE:
            from_stops(altitude, COUNT(altitude), t, rgb);
            break;
        case RAMP_CIRCLE:
            if (v < 0)
                memset(rgb, 128, 3);
            else
                from_stops(circle, COUNT(circle), t, rgb);
            break;
        case RAMP_DIVERGING:
            from_stops(diverging, COUNT(diverging), t, rgb);
            break;
        case RAMP_HEAT:
            from_stops(heat, COUNT(heat), t, rgb);
            break;
        case RAMP_WATER:
            from_stops(water, COUNT(water), t, rgb);
            break;
        case RAMP_DISTANCE:
            from_stops(distance, COUNT(distance), t, rgb);
            break;
        case RAMP_DEPTH:
            from_stops(depth, COUNT(depth), t, rgb);
            break;
        case RAMP_IDS:
            id_color(v < 0 ? 0 : v > 65535 ? 65535 : v, rgb);
            break;
        case RAMP_GREY:
        case RAMP_RGB:
        default:
            from_stops(grey, COUNT(grey), t, rgb);
            break;
        }
    }
}

/* ---- files ---- */

struct picture_area picture_area_of(const struct world *world, const struct layer_info *layer,
                                    struct rect cells) {
    struct picture_area area = {.samples = cells};
    double step = world->extent.cell_m;
    area.posts = layer->like_heights && world->height.samples == SAMPLES_POSTS;
    if (layer->coarse_log2) {
        area.samples = rect_blocks(cells, 1 << layer->coarse_log2);
        step *= 1 << layer->coarse_log2;
    } else if (area.posts) {
        area.samples.x1++;
        area.samples.y1++;
    }
    area.step_m = step;
    area.x_m = area.samples.x0 * step;
    area.y_m = area.samples.y0 * step;
    return area;
}

static enum status write_png(const struct world *world, const struct window *window,
                             const struct picture_area *area, unsigned char **bytes, size_t *size,
                             struct error *err) {
    struct picture_style style;
    struct raster image = {.samples = NULL};
    struct rect r = area->samples;
    int32_t width = r.x1 - r.x0, height = r.y1 - r.y0;
    float *values = NULL;
    enum status status = picture_style_of(world, window->layer, &style, err);
    if (status == STATUS_OK)
        status = raster_new(KIND_RGB8, width, height, &image, err);
    if (status == STATUS_OK && !(values = malloc((size_t)width * sizeof *values)))
        status = error_set(err, STATUS_LIMIT, "out of memory");
    for (int32_t y = 0; y < height && status == STATUS_OK; y++) {
        uint8_t *row = image.samples + (size_t)y * raster_row_size(&image);
        if (style.ramp == RAMP_RGB) {
            const struct grid_u8 *g = &window->u8;
            memcpy(row, g->cells + (ptrdiff_t)(r.y0 + y - g->y0) * g->stride + 3 * (r.x0 - g->x0),
                   raster_row_size(&image));
            continue;
        }
        values_row(window, r.x0, r.y0 + y, width, values);
        picture_row(&style, values, width, row);
    }
    if (status == STATUS_OK)
        status = png_encode(&image, bytes, size, err);
    free(values);
    raster_free(&image);
    return status;
}

static enum status write_r32(const struct window *window, const struct picture_area *area,
                             unsigned char **bytes, size_t *size, struct error *err) {
    struct rect r = area->samples;
    size_t width = (size_t)(r.x1 - r.x0), height = (size_t)(r.y1 - r.y0);
    float *values = malloc(width * sizeof *values);
    *size = width * height * 4;
    *bytes = malloc(*size);
    if (!values || !*bytes) {
        free(values);
        free(*bytes);
        *bytes = NULL;
        return error_set(err, STATUS_LIMIT, "out of memory");
    }
    unsigned char *to = *bytes;
    for (int32_t y = r.y1; y-- > r.y0;) {
        values_row(window, r.x0, y, (int32_t)width, values);
        for (size_t x = 0; x < width; x++)
            to = put_f32(to, values[x]);
    }
    free(values);
    return STATUS_OK;
}

enum { ASC_NUMBER_MAX = 20, ASC_HEADER_MAX = 512 };

static enum status write_asc(const struct window *window, const struct picture_area *area,
                             unsigned char **bytes, size_t *size, struct error *err) {
    struct rect r = area->samples;
    size_t width = (size_t)(r.x1 - r.x0), height = (size_t)(r.y1 - r.y0);
    float *values = malloc(width * sizeof *values);
    size_t room = ASC_HEADER_MAX + height * (width * ASC_NUMBER_MAX + 1);
    char *text = malloc(room);
    if (!values || !text) {
        free(values);
        free(text);
        return error_set(err, STATUS_LIMIT, "out of memory");
    }
    const char *corner = area->posts ? "center" : "corner";
    size_t at = (size_t)snprintf(text, ASC_HEADER_MAX,
                                 "ncols %zu\nnrows %zu\nxll%s %.17g\nyll%s %.17g\ncellsize %.17g\n"
                                 "NODATA_value -9999\n",
                                 width, height, corner, area->x_m, corner, area->y_m, area->step_m);
    for (int32_t y = r.y1; y-- > r.y0;) {
        values_row(window, r.x0, y, (int32_t)width, values);
        for (size_t x = 0; x < width; x++) {
            double v = values[x] - values[x] == 0 ? (double)values[x] : -9999;
            at += (size_t)snprintf(text + at, ASC_NUMBER_MAX, x ? " %.9g" : "%.9g", v);
        }
        text[at++] = '\n';
    }
    free(values);
    *bytes = (unsigned char *)text;
    *size = at;
    return STATUS_OK;
}

enum status picture_file(const struct world *world, const struct window *window, struct rect cells,
                         enum picture_format format, unsigned char **bytes, size_t *size, struct error *err) {
    *bytes = NULL;
    *size = 0;
    const struct layer_info *layer = window->layer;
    struct picture_area area = picture_area_of(world, layer, cells);
    if (layer->type == LAYER_BLOB)
        return error_set(err, STATUS_INPUT, "%s is no raster; it cannot be written", layer->name);
    if (format == PICTURE_PNG)
        return write_png(world, window, &area, bytes, size, err);
    if (layer->type == LAYER_RGB8)
        return error_set(err, STATUS_INPUT, "%s is a picture; write .png", layer->name);
    return format == PICTURE_R32 ? write_r32(window, &area, bytes, size, err)
                                 : write_asc(window, &area, bytes, size, err);
}

enum status picture_format_of(const char *path, enum picture_format *format, struct error *err) {
    static const char *const endings[] = {".png", ".r32", ".asc"};
    size_t length = strlen(path);
    for (int i = 0; i < 3; i++)
        if (length > 4 && strcmp(path + length - 4, endings[i]) == 0) {
            *format = (enum picture_format)i;
            return STATUS_OK;
        }
    return error_set(err, STATUS_USAGE, "'%s' ends in none of .png .r32 .asc", path);
}
