/* Any bytes as an image file: probing, and reading as heights and as a mask. What is read must be all of the
 * rows, in order; what fails must say why. */
#include "gen/image.h"
#include "gen/os.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PIXELS_MAX = 1 << 20 }; /* larger images only cost time */

static enum status count_row(void *context, int32_t row, const void *samples, struct error *err) {
    int32_t *rows = context;
    (void)samples, (void)err;
    if (row != *rows)
        abort();
    ++*rows;
    return STATUS_OK;
}

static void read_as(const char *path, const struct image_info *info, enum image_form form) {
    struct image_request request = {.info = *info, .form = form};
    struct error err = {0};
    int32_t rows = 0;
    enum status status = image_read(path, &request, &(struct image_rows){count_row, &rows}, &err);
    if (status == STATUS_OK ? rows != info->height_px : err.status != status || !err.message[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[128];
    struct image_info info;
    struct error err = {0};
    snprintf(path, sizeof path, "/tmp/terrane-fuzz-image-%ld", (long)getpid());
    if (os_write_file(path, data, size, &err) != STATUS_OK) {
        fprintf(stderr, "fuzz_image: %s: %s\n", path, err.message);
        abort();
    }
    if (image_probe(path, &info, &err) != STATUS_OK) {
        if (!err.message[0])
            abort();
    } else if ((int64_t)info.width_px * info.height_px <= PIXELS_MAX) {
        read_as(path, &info, IMAGE_SAMPLES);
        read_as(path, &info, IMAGE_RGBA8);
    }
    if (size >= 8 && size % 4 == 0 && size <= 1 << 16 &&
        image_probe_raw(path, IMAGE_R32, (int32_t)(size / 8), size % 8 == 0 ? 2 : 1, &info, NULL) ==
            STATUS_OK)
        read_as(path, &info, IMAGE_SAMPLES);
    os_remove(path, NULL);
    return 0;
}
