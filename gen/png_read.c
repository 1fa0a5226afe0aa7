#include "gen/png_read.h"
#include "gen/os.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t PIXELS_MAX = UINT64_C(1) << 28;
static const size_t FILE_SIZE_MAX = (size_t)1 << 31;

struct reader {
    png_structp png;
    png_infop info;
    const unsigned char *bytes;
    size_t size, at;
    char message[200];
    enum status status;
};

static void on_error(png_structp png, png_const_charp message) {
    struct reader *r = png_get_error_ptr(png);
    snprintf(r->message, sizeof r->message, "%s", message);
    png_longjmp(png, 1);
}

static void on_read(png_structp png, png_bytep bytes, png_size_t size) {
    struct reader *r = png_get_io_ptr(png);
    if (size > r->size - r->at)
        png_error(png, "the file is cut short");
    memcpy(bytes, r->bytes + r->at, size);
    r->at += size;
}

/* Kind and size from the header; png_error on what we never write. */
static void read_header(struct reader *r, struct raster *image) {
    png_uint_32 width, height;
    int depth, colour, interlace;
    png_read_info(r->png, r->info);
    png_get_IHDR(r->png, r->info, &width, &height, &depth, &colour, &interlace, NULL, NULL);
    if (interlace != PNG_INTERLACE_NONE)
        png_error(r->png, "interlaced");
    if (colour == PNG_COLOR_TYPE_GRAY && (depth == 8 || depth == 16))
        image->kind = depth == 16 ? KIND_GREY16 : KIND_GREY8;
    else if (colour == PNG_COLOR_TYPE_RGB && depth == 8)
        image->kind = KIND_RGB8;
    else
        png_error(r->png, "neither 8- or 16-bit grey nor 8-bit RGB");
    if ((uint64_t)width * height > PIXELS_MAX) {
        r->status = STATUS_LIMIT;
        png_error(r->png, "more than 2^28 pixels");
    }
    image->width = (int32_t)width;
    image->height = (int32_t)height;
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    if (depth == 16 && first == 1)
        png_set_swap(r->png);
}

static enum status decode(struct reader *r, struct raster *image, struct error *err) {
    if (setjmp(png_jmpbuf(r->png)))
        return error_set(err, r->status, "PNG: %s", r->message);
    r->info = png_create_info_struct(r->png);
    if (!r->info)
        png_error(r->png, "out of memory");
    png_set_read_fn(r->png, r, on_read);
    read_header(r, image);
    image->samples = malloc(raster_row_size(image) * (size_t)image->height);
    if (!image->samples) {
        r->status = STATUS_LIMIT;
        png_error(r->png, "out of memory");
    }
    for (int32_t y = image->height; y-- > 0;)
        png_read_row(r->png, image->samples + (size_t)y * raster_row_size(image), NULL);
    png_read_end(r->png, NULL);
    if (r->at != r->size)
        png_error(r->png, "bytes follow the image");
    return STATUS_OK;
}

enum status png_decode(const unsigned char *bytes, size_t size, struct raster *image, struct error *err) {
    *image = (struct raster){.samples = NULL};
    struct reader r = {.bytes = bytes, .size = size, .status = STATUS_FILE};
    r.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &r, on_error, on_error);
    if (!r.png)
        return error_set(err, STATUS_LIMIT, "PNG: out of memory");
    enum status status = decode(&r, image, err);
    png_destroy_read_struct(&r.png, &r.info, NULL);
    if (status != STATUS_OK)
        raster_free(image);
    return status;
}

enum status png_read_file(const char *path, struct raster *image, struct error *err) {
    *image = (struct raster){.samples = NULL};
    unsigned char *bytes;
    size_t size;
    enum status status = os_read_file(path, FILE_SIZE_MAX, &bytes, &size, err);
    if (status != STATUS_OK)
        return status;
    struct error inner = {.status = STATUS_OK};
    status = png_decode(bytes, size, image, &inner);
    if (status != STATUS_OK)
        error_at(err, status, path, 0, 0, "%s", inner.message);
    free(bytes);
    return status;
}
