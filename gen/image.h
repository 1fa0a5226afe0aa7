/* Owns reading of image files: what a file really is, and its samples row by row. Knows nothing of worlds:
 * what the samples mean is gen/source.h's matter. Row 0 is the first row of the file (the north edge). Data
 * is linear: gamma, colour profiles and resolutions in a file are ignored.
 *
 * A file is what its content says, whatever its name; a name that says otherwise is refused. */
#ifndef GEN_IMAGE_H
#define GEN_IMAGE_H
#include "gen/layer.h"
#include "terrain/status.h"
#include <stdbool.h>
#include <stdint.h>

enum image_kind { IMAGE_PNG, IMAGE_JPEG, IMAGE_BMP, IMAGE_TGA, IMAGE_R16, IMAGE_R32 };
enum { IMAGE_SIDE_MAX = 65536 };
/* Pixels of a file that must be decoded whole (JPEG, BMP, TGA, interlaced PNG): 8192 x 8192. */
enum { IMAGE_WHOLE_MAX = 1 << 26 };

struct image_info {
    enum image_kind kind;
    int32_t width_px, height_px; /* 1..IMAGE_SIDE_MAX */
    int32_t bits;                /* of one sample: 1, 2, 4, 8, 16; 32 is float (r32) */
    int32_t channels;            /* 1 grey, 2 grey and alpha, 3 colour, 4 colour and alpha */
    bool palette;                /* colours through a table; channels is 3 */
    bool interlaced;
};

/* "PNG", "JPEG", "BMP", "TGA", "r16", "r32". */
const char *image_kind_name(enum image_kind kind);

/* Reads a file's header. STATUS_FILE: cannot be read; STATUS_INPUT: not an image that is read here, damaged,
 * or named as what it is not; STATUS_LIMIT: too large. Never decodes pixels. */
enum status image_probe(const char *path, struct image_info *info, struct error *err);

/* Raw files have no header: checks that the file holds exactly width x height samples of kind (IMAGE_R16 or
 * IMAGE_R32) and fills info. Message for a wrong size names both byte counts. */
enum status image_probe_raw(const char *path, enum image_kind kind, int32_t width_px, int32_t height_px,
                            struct image_info *info, struct error *err);

/* Whether a probed file can hold heights (grey PNG of 8 or 16 bits, r16, r32) or a mask (up to 8 bits a
 * channel). STATUS_INPUT with what to do about it, or STATUS_LIMIT. */
enum status image_check_height(const char *path, const struct image_info *info, struct error *err);
enum status image_check_mask(const char *path, const struct image_info *info, struct error *err);

/* XXH3-128 of a file's bytes: struct source_file.id. */
enum status image_file_id(const char *path, struct hash128 *id, struct error *err);

/* Receives rows in order. What it returns ends the reading when it is not STATUS_OK. */
struct image_rows {
    enum status (*row)(void *context, int32_t row, const void *samples, struct error *err);
    void *context;
};

enum image_form {
    IMAGE_SAMPLES, /* one channel as it is: uint8_t, uint16_t or float; what image_check_height allows */
    IMAGE_RGBA8    /* four bytes a pixel; alpha 255 where the file has none; what image_check_mask allows */
};

struct image_request {
    struct image_info info; /* as probed; a file that differs by now is refused */
    enum image_form form;
    bool big_endian;          /* raw kinds */
    const struct hash128 *id; /* NULL, or what the bytes must hash to: refused when the file has changed */
};

/* Decodes a file. PNG and raw files are streamed: no more than a few rows are in memory, whatever the size
 * (interlaced PNG up to IMAGE_WHOLE_MAX pixels is held whole, larger is refused). The rows that were given
 * count only when STATUS_OK comes back. Errors name the file and, when it is cut short, the row. */
enum status image_read(const char *path, const struct image_request *request, const struct image_rows *rows,
                       struct error *err);

#endif
