/* Owns reading a file from its begin to its end in exact pieces, while its content hash is taken: so that
 * what was decoded is what was hashed. For the readers of gen/image.h. */
#ifndef GEN_IMAGE_STREAM_H
#define GEN_IMAGE_STREAM_H
#include "gen/layer.h"
#include "terrain/status.h"
#include <stddef.h>
#include <stdint.h>

struct image_stream;

enum status image_stream_open(const char *path, struct image_stream **stream, struct error *err);
uint64_t image_stream_left(const struct image_stream *stream); /* bytes not yet read */
/* Exactly size bytes; STATUS_INPUT: the file is cut short. */
enum status image_stream_read(struct image_stream *stream, void *bytes, size_t size, struct error *err);
/* Reads what is left and gives the hash of all bytes. */
enum status image_stream_id(struct image_stream *stream, struct hash128 *id, struct error *err);
/* The same, and STATUS_FILE when it is not `expected` (NULL: anything goes). */
enum status image_stream_expect(struct image_stream *stream, const struct hash128 *expected,
                                struct error *err);
void image_stream_close(struct image_stream *stream); /* NULL allowed */

#endif
