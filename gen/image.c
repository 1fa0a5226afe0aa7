#include "gen/image.h"

#include "gen/image_readers.h"
#include "gen/image_stream.h"
#include "gen/os.h"
#include <string.h>

const char *image_kind_name(enum image_kind kind) {
    static const char *const names[] = {"PNG", "JPEG", "BMP", "TGA", "r16", "r32"};
    return names[kind];
}

/* What a file's first bytes say, for what is not read here. */
static const struct {
    const char *magic, *what;
    size_t size;
} foreign[] = {
    {"GIF8", "a GIF image", 4},
    {"II*\0", "a TIFF image", 4},
    {"MM\0*", "a TIFF image", 4},
    {"8BPS", "a Photoshop file", 4},
    {"v/1\1", "an OpenEXR image", 4},
    {"#?RADIANCE", "a Radiance HDR image", 10},
    {"DDS ", "a DDS texture", 4},
    {"gimp xcf", "a GIMP file", 8},
    {"RIFF", "a WebP image or another RIFF file", 4},
    {"%PDF", "a PDF", 4},
    {"PK\3\4", "a zip archive", 4},
    {"\x1f\x8b", "a gzip archive", 2},
    {"\0\0\0\x0cjP  ", "a JPEG 2000 image", 8},
};

enum { SNIFF_SIZE = 64 };

/* TGA has no magic number: its header must make sense in every field. */
static bool looks_like_tga(const unsigned char *b, size_t size) {
    if (size < 18)
        return false;
    int32_t type = b[2] & 7, bits = b[16];
    bool table = b[1] == 1;
    return b[1] <= 1 && (b[2] & ~8) == type && type >= 1 && type <= 3 && table == (type == 1) &&
           (b[12] | b[13]) && (b[14] | b[15]) &&
           (bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32) && (b[17] & 0xc0) == 0;
}

static enum status sniff(const char *path, const unsigned char *b, size_t size, enum image_kind *kind,
                         struct error *err) {
    static const unsigned char png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    if (size == 0)
        return error_at(err, STATUS_INPUT, path, 0, 0, "the file is empty");
    if (size >= 4 && memcmp(b, png, size < 8 ? size : 8) == 0) {
        *kind = IMAGE_PNG;
        return STATUS_OK;
    }
    if (size >= 3 && b[0] == 0xff && b[1] == 0xd8 && b[2] == 0xff) {
        *kind = IMAGE_JPEG;
        return STATUS_OK;
    }
    if (size >= 2 && b[0] == 'B' && b[1] == 'M') {
        *kind = IMAGE_BMP;
        return STATUS_OK;
    }
    static const char lfs[] = "version https://git-lfs";
    if (size >= sizeof lfs - 1 && memcmp(b, lfs, sizeof lfs - 1) == 0)
        return error_at(err, STATUS_INPUT, path, 0, 0,
                        "is a Git LFS pointer, not the image: run `git lfs pull`");
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (size >= foreign[i].size && memcmp(b, foreign[i].magic, foreign[i].size) == 0)
            return error_at(err, STATUS_INPUT, path, 0, 0, "is %s, which is not read here: save it as PNG",
                            foreign[i].what);
    if (looks_like_tga(b, size)) {
        *kind = IMAGE_TGA;
        return STATUS_OK;
    }
    return error_at(err, STATUS_INPUT, path, 0, 0, "is not a PNG, TGA, BMP or JPEG image");
}

static bool ends_with(const char *path, const char *suffix) {
    size_t n = strlen(path), m = strlen(suffix);
    if (n < m)
        return false;
    for (size_t i = 0; i < m; i++) {
        char c = path[n - m + i];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != suffix[i])
            return false;
    }
    return true;
}

/* A name that says what the content is not is a mistake worth hearing of. */
static enum status check_name(const char *path, enum image_kind kind, struct error *err) {
    static const struct {
        const char *suffix;
        enum image_kind kind;
    } names[] = {{".png", IMAGE_PNG}, {".jpg", IMAGE_JPEG}, {".jpeg", IMAGE_JPEG}, {".bmp", IMAGE_BMP},
                 {".tga", IMAGE_TGA}, {".r16", IMAGE_R16},  {".r32", IMAGE_R32}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (ends_with(path, names[i].suffix) && names[i].kind != kind)
            return error_at(err, STATUS_INPUT, path, 0, 0,
                            "is named %s but holds a %s image: rename it, or save it again as %s",
                            names[i].suffix, image_kind_name(kind), image_kind_name(names[i].kind));
    return STATUS_OK;
}

enum status image_probe(const char *path, struct image_info *info, struct error *err) {
    struct image_stream *stream;
    unsigned char bytes[SNIFF_SIZE];
    *info = (struct image_info){0};
    enum status status = image_stream_open(path, &stream, err);
    if (status != STATUS_OK)
        return status;
    uint64_t left = image_stream_left(stream);
    size_t size = left < SNIFF_SIZE ? (size_t)left : SNIFF_SIZE;
    status = image_stream_read(stream, bytes, size, err);
    image_stream_close(stream);
    if (status == STATUS_OK)
        status = sniff(path, bytes, size, &info->kind, err);
    if (status == STATUS_OK)
        status = check_name(path, info->kind, err);
    if (status != STATUS_OK)
        return status;
    if (info->kind == IMAGE_PNG)
        return image_png_header(path, bytes, size, info, err);
    return image_stb_header(path, info, err);
}

enum status image_probe_raw(const char *path, enum image_kind kind, int32_t width_px, int32_t height_px,
                            struct image_info *info, struct error *err) {
    struct os_info file;
    enum status status = os_info(path, &file, err);
    if (status != STATUS_OK)
        return status;
    if (file.kind == OS_NOTHING)
        return error_at(err, STATUS_FILE, path, 0, 0, "there is no such file");
    if (file.kind != OS_FILE)
        return error_at(err, STATUS_FILE, path, 0, 0, "is not a file");
    if (width_px < 1 || height_px < 1 || width_px > IMAGE_SIDE_MAX || height_px > IMAGE_SIDE_MAX)
        return error_at(err, STATUS_LIMIT, path, 0, 0,
                        "%d x %d samples: a side must be 1..%d, split it into maps", width_px, height_px,
                        IMAGE_SIDE_MAX);
    int32_t bytes = kind == IMAGE_R16 ? 2 : 4;
    uint64_t want = (uint64_t)width_px * (uint64_t)height_px * (uint64_t)bytes;
    if (file.size != want)
        return error_at(err, STATUS_INPUT, path, 0, 0,
                        "has %llu bytes, but %d x %d samples of %d bytes are %llu",
                        (unsigned long long)file.size, width_px, height_px, bytes, (unsigned long long)want);
    *info = (struct image_info){
        .kind = kind, .width_px = width_px, .height_px = height_px, .bits = 8 * bytes, .channels = 1};
    return STATUS_OK;
}

static enum status check_whole(const char *path, const struct image_info *info, const char *instead,
                               struct error *err) {
    if ((int64_t)info->width_px * info->height_px <= IMAGE_WHOLE_MAX)
        return STATUS_OK;
    return error_at(err, STATUS_LIMIT, path, 0, 0,
                    "%s%s of %d x %d px must be decoded whole, which is allowed up to %d pixels: %s",
                    info->interlaced ? "an interlaced " : "a ", image_kind_name(info->kind), info->width_px,
                    info->height_px, IMAGE_WHOLE_MAX, instead);
}

enum status image_check_height(const char *path, const struct image_info *info, struct error *err) {
    if (info->kind == IMAGE_R16 || info->kind == IMAGE_R32)
        return STATUS_OK;
    if (info->kind != IMAGE_PNG)
        return error_at(err, STATUS_INPUT, path, 0, 0,
                        "is a %s image; heights are read from 16-bit grey PNG, r16 or r32",
                        image_kind_name(info->kind));
    const char *what = info->palette         ? "has a palette"
                       : info->channels == 2 ? "has an alpha channel"
                       : info->channels == 3 ? "is a colour image"
                       : info->channels == 4 ? "is a colour image with an alpha channel"
                                             : NULL;
    if (what)
        return error_at(err, STATUS_INPUT, path, 0, 0, "%s; heights are one grey channel of 16 bits", what);
    if (info->bits < 8)
        return error_at(err, STATUS_INPUT, path, 0, 0, "has %d bits a sample; heights need 16 (or 8)",
                        info->bits);
    return info->interlaced ? check_whole(path, info, "save it without interlacing", err) : STATUS_OK;
}

enum status image_check_mask(const char *path, const struct image_info *info, struct error *err) {
    if (info->kind == IMAGE_R16 || info->kind == IMAGE_R32)
        return error_at(err, STATUS_INPUT, path, 0, 0, "masks are 8-bit PNG, TGA, BMP or JPEG images");
    if (info->bits > 8)
        return error_at(err, STATUS_INPUT, path, 0, 0,
                        "has 16 bits a channel; masks are 8-bit: save it as 8-bit");
    if (info->kind == IMAGE_PNG && !info->interlaced)
        return STATUS_OK;
    return check_whole(path, info, info->interlaced ? "save it without interlacing" : "save it as PNG", err);
}

enum status image_file_id(const char *path, struct hash128 *id, struct error *err) {
    struct image_stream *stream;
    enum status status = image_stream_open(path, &stream, err);
    if (status != STATUS_OK)
        return status;
    status = image_stream_id(stream, id, err);
    image_stream_close(stream);
    return status;
}

enum status image_read(const char *path, const struct image_request *request, const struct image_rows *rows,
                       struct error *err) {
    const struct image_info *info = &request->info;
    enum status status = request->form == IMAGE_SAMPLES ? image_check_height(path, info, err)
                                                        : image_check_mask(path, info, err);
    if (status != STATUS_OK)
        return status;
    switch (info->kind) {
    case IMAGE_PNG:
        return image_png_read(path, request, rows, err);
    case IMAGE_R16:
    case IMAGE_R32:
        return image_raw_read(path, request, rows, err);
    case IMAGE_JPEG:
    case IMAGE_BMP:
    case IMAGE_TGA:
        break;
    }
    return image_stb_read(path, request, rows, err);
}
