/* Any bytes as one of our own PNGs, and as a path of an out folder: what is read must be written the same. */
#include "gen/manifest.h"
#include "gen/paths.h"
#include "gen/png_read.h"
#include "gen/png_write.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void as_png(const uint8_t *data, size_t size) {
    struct raster image, again;
    unsigned char *bytes;
    size_t length;
    if (png_decode(data, size, &image, NULL) != STATUS_OK)
        return;
    size_t samples = raster_row_size(&image) * (size_t)image.height;
    if (samples <= 1 << 20) {
        if (png_encode(&image, &bytes, &length, NULL) != STATUS_OK ||
            png_decode(bytes, length, &again, NULL) != STATUS_OK || again.kind != image.kind ||
            again.width != image.width || memcmp(again.samples, image.samples, samples) != 0)
            abort();
        free(bytes);
        raster_free(&again);
    }
    raster_free(&image);
}

static void as_path(const uint8_t *data, size_t size) {
    char text[PATH_TEXT_MAX], back[PATH_TEXT_MAX];
    struct path_name name;
    int32_t x, y;
    if (size >= sizeof text)
        return;
    memcpy(text, data, size);
    text[size] = '\0';
    path_parse_map(text, &x, &y);
    if (path_parse(text, &name) && (path_of(&name, back, NULL) != STATUS_OK || strcmp(text, back) != 0))
        abort();
}

/* What a manifest's entries say. */
static void as_manifest(const uint8_t *data, size_t size) {
    char why[MANIFEST_WHY_MAX];
    const char *path;
    json_t *root = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL), *entry;
    json_object_foreach(root, path, entry) {
        if (manifest_sound(path, entry, why) && (path[0] == '/' || strstr(path, "../")))
            abort();
    }
    json_decref(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    as_manifest(data, size);
    as_png(data, size);
    as_path(data, size);
    return 0;
}
