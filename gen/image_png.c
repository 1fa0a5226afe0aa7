#include "gen/image_readers.h"

#include "gen/image_stream.h"
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SIGNATURE_SIZE = 8, HEADER_SIZE = 33 };

static uint32_t be32(const unsigned char *b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

enum status image_png_header(const char *path, const unsigned char *bytes, size_t size,
                             struct image_info *info, struct error *err) {
    if (size < HEADER_SIZE)
        return error_at(err, STATUS_INPUT, path, 0, 0, "the file is cut short within the PNG header");
    const unsigned char *chunk = bytes + SIGNATURE_SIZE;
    if (be32(chunk) != 13 || memcmp(chunk + 4, "IHDR", 4) != 0 ||
        be32(chunk + 21) != (uint32_t)crc32(crc32(0, NULL, 0), chunk + 4, 17))
        return error_at(err, STATUS_INPUT, path, 0, 0, "the PNG header is damaged");
    uint32_t width = be32(chunk + 8), height = be32(chunk + 12);
    uint32_t bits = chunk[16], colour = chunk[17];
    static const uint32_t bits_allowed[7] = {1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 16,
                                             0,
                                             1 << 8 | 1 << 16,
                                             1 << 1 | 1 << 2 | 1 << 4 | 1 << 8,
                                             1 << 8 | 1 << 16,
                                             0,
                                             1 << 8 | 1 << 16};
    static const int32_t channels[7] = {1, 0, 3, 3, 2, 0, 4};
    if (width == 0 || height == 0 || colour > 6 || bits > 16 || !(bits_allowed[colour] & 1u << bits) ||
        chunk[20] > 1)
        return error_at(err, STATUS_INPUT, path, 0, 0, "the PNG header makes no sense");
    if (width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX)
        return error_at(err, STATUS_LIMIT, path, 0, 0,
                        "is %u x %u px, larger than %d on a side: split it into maps", width, height,
                        IMAGE_SIDE_MAX);
    *info = (struct image_info){.kind = IMAGE_PNG,
                                .width_px = (int32_t)width,
                                .height_px = (int32_t)height,
                                .bits = (int32_t)bits,
                                .channels = channels[colour],
                                .palette = colour == 3,
                                .interlaced = chunk[20] == 1};
    return STATUS_OK;
}

/* Everything that a decoding holds lies here, outside of the function that calls setjmp, so that a jump back
 * leaves nothing undefined and finish() can free it. */
struct job {
    const char *path;
    const struct image_request *request;
    const struct image_rows *rows;
    struct error *err;
    struct image_stream *stream;
    png_structp png;
    png_infop info;
    unsigned char *pixels; /* one row, or all rows of an interlaced image */
    size_t row_size;
    int32_t row; /* being read */
    enum status status;
};

static void on_error(png_structp png, png_const_charp message) {
    struct job *job = png_get_error_ptr(png);
    if (job->status == STATUS_OK)
        job->status =
            error_at(job->err, STATUS_INPUT, job->path, 0, 0, "the PNG is damaged at row %d of %d: %s",
                     job->row, job->request->info.height_px, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static void on_read(png_structp png, png_bytep bytes, size_t size) {
    struct job *job = png_get_io_ptr(png);
    if (size > image_stream_left(job->stream))
        job->status = error_at(job->err, STATUS_INPUT, job->path, 0, 0,
                               "the file is cut short: the PNG ends within row %d of %d", job->row,
                               job->request->info.height_px);
    else
        job->status = image_stream_read(job->stream, bytes, size, job->err);
    if (job->status != STATUS_OK)
        png_error(png, "read");
}

/* Chunks with text, profiles and the like are skipped unread: they can be large and mean nothing here. */
static void skip_chunks(png_structp png) {
    static const png_byte names[] =
        "iCCP\0tEXt\0zTXt\0iTXt\0eXIf\0sPLT\0hIST\0pCAL\0sCAL\0gAMA\0cHRM\0sRGB\0tIME";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
}

static void to_rgba(struct job *job) {
    int colour = png_get_color_type(job->png, job->info);
    bool key = png_get_valid(job->png, job->info, PNG_INFO_tRNS) != 0;
    if (colour == PNG_COLOR_TYPE_PALETTE)
        png_set_palette_to_rgb(job->png);
    if (!(colour & PNG_COLOR_MASK_COLOR)) {
        png_set_expand_gray_1_2_4_to_8(job->png);
        png_set_gray_to_rgb(job->png);
    }
    if (key)
        png_set_tRNS_to_alpha(job->png);
    else if (!(colour & PNG_COLOR_MASK_ALPHA))
        png_set_add_alpha(job->png, 255, PNG_FILLER_AFTER);
}

/* Ends the decoding from within the code that libpng may jump out of. */
static enum status fail(struct job *job, enum status status, const char *message) {
    return job->status = error_at(job->err, status, job->path, 0, 0, "%s", message);
}

static enum status start(struct job *job) {
    const struct image_info *want = &job->request->info;
    png_set_user_limits(job->png, IMAGE_SIDE_MAX, IMAGE_SIDE_MAX);
    skip_chunks(job->png);
    png_set_read_fn(job->png, job, on_read);
    png_read_info(job->png, job->info);
    bool interlaced = png_get_interlace_type(job->png, job->info) != PNG_INTERLACE_NONE;
    if (png_get_image_width(job->png, job->info) != (uint32_t)want->width_px ||
        png_get_image_height(job->png, job->info) != (uint32_t)want->height_px ||
        png_get_bit_depth(job->png, job->info) != want->bits || interlaced != want->interlaced)
        return fail(job, STATUS_FILE, "the file has changed since the world was read: run again");
    if (job->request->form == IMAGE_RGBA8) {
        to_rgba(job);
    } else {
        if (png_get_valid(job->png, job->info, PNG_INFO_tRNS))
            return fail(job, STATUS_INPUT,
                        "names a transparent grey (tRNS), which heights cannot have: use height.nodata");
        const uint16_t one = 1;
        if (want->bits == 16 && *(const unsigned char *)&one == 1)
            png_set_swap(job->png);
    }
    if (interlaced)
        png_set_interlace_handling(job->png);
    png_read_update_info(job->png, job->info);
    size_t pixel = job->request->form == IMAGE_RGBA8 ? 4 : (size_t)want->bits / 8;
    job->row_size = pixel * (size_t)want->width_px;
    if (png_get_rowbytes(job->png, job->info) != job->row_size)
        return fail(job, STATUS_INPUT, "the PNG's rows are not what its header says");
    job->pixels = malloc(job->row_size * (interlaced ? (size_t)want->height_px : 1));
    return job->pixels ? STATUS_OK : fail(job, STATUS_LIMIT, "out of memory");
}

static void decode(struct job *job) {
    if (setjmp(png_jmpbuf(job->png)))
        return;
    if (start(job) != STATUS_OK)
        return;
    int32_t height = job->request->info.height_px;
    if (job->request->info.interlaced)
        for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++)
            for (job->row = 0; job->row < height; job->row++)
                png_read_row(job->png, job->pixels + job->row_size * (size_t)job->row, NULL);
    else
        for (job->row = 0; job->row < height && job->status == STATUS_OK; job->row++) {
            png_read_row(job->png, job->pixels, NULL);
            job->status = job->rows->row(job->rows->context, job->row, job->pixels, job->err);
        }
    if (job->status == STATUS_OK)
        png_read_end(job->png, NULL);
}

enum status image_png_read(const char *path, const struct image_request *request,
                           const struct image_rows *rows, struct error *err) {
    struct job job = {.path = path, .request = request, .rows = rows, .err = err};
    job.status = image_stream_open(path, &job.stream, err);
    if (job.status != STATUS_OK)
        return job.status;
    job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, on_error, on_warning);
    job.info = job.png ? png_create_info_struct(job.png) : NULL;
    if (job.info)
        decode(&job);
    else
        fail(&job, STATUS_LIMIT, "out of memory");
    png_destroy_read_struct(&job.png, &job.info, NULL);
    if (job.status == STATUS_OK)
        job.status = image_stream_expect(job.stream, request->id, err);
    if (request->info.interlaced)
        for (int32_t row = 0; job.status == STATUS_OK && row < request->info.height_px; row++)
            job.status = rows->row(rows->context, row, job.pixels + job.row_size * (size_t)row, err);
    free(job.pixels);
    image_stream_close(job.stream);
    return job.status;
}
