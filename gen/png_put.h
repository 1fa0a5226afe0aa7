/* Owns a picture's way to its file: rows are made, hashed and encoded one by one, written beside the place,
 * and renamed into it unless the same bytes stand there already. What of the file there has the same rows is
 * not packed again. Takes the memory of some bands of rows. */
#ifndef GEN_PNG_PUT_H
#define GEN_PNG_PUT_H
#include "gen/os.h"
#include "gen/png_stream.h"
#include "gen/raster.h"

/* What stands at a path after it was written, or found right. */
struct file_put {
    struct os_info info;
    struct hash128 samples; /* raster_hash */
    struct hash128 bytes;   /* bytes_hash of the file */
    bool kept;              /* the same stood there */
};

/* The folder of `path` must be there. was: count bands that the file there had when it was written (0: not
 * known). bands: png_band_count of the image, filled in. STATUS_FILE: cannot be written; STATUS_LIMIT: out of
 * memory. */
enum status png_put(const char *path, const struct raster_rows *image, const struct png_band *was,
                    size_t count, struct png_band *bands, struct file_put *put, struct error *err);

#endif
