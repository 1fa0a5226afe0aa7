/* Owns a picture's way to its file: rows are made, hashed and encoded one by one, written beside the place,
 * and renamed into it unless the same bytes stand there already. Takes the memory of two rows. */
#ifndef GEN_PNG_PUT_H
#define GEN_PNG_PUT_H
#include "gen/os.h"
#include "gen/raster.h"

/* What stands at a path after it was written, or found right. */
struct file_put {
    struct os_info info;
    struct hash128 samples; /* raster_hash */
    struct hash128 bytes;   /* bytes_hash of the file */
    bool kept;              /* the same stood there */
};

/* The folder of `path` must be there. STATUS_FILE: cannot be written; STATUS_LIMIT: out of memory. */
enum status png_put(const char *path, const struct raster_rows *image, struct file_put *put,
                    struct error *err);

#endif
