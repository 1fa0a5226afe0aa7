/* The readers behind image_read, one a file: for gen/image.c only. */
#ifndef GEN_IMAGE_READERS_H
#define GEN_IMAGE_READERS_H
#include "gen/image.h"
#include <stddef.h>

/* Fills info from the first bytes of a PNG (signature and header chunk, checksum included). */
enum status image_png_header(const char *path, const unsigned char *bytes, size_t size,
                             struct image_info *info, struct error *err);
enum status image_png_read(const char *path, const struct image_request *request,
                           const struct image_rows *rows, struct error *err);

enum status image_raw_read(const char *path, const struct image_request *request,
                           const struct image_rows *rows, struct error *err);

/* JPEG, BMP and TGA; info->kind is given. */
enum status image_stb_header(const char *path, struct image_info *info, struct error *err);
enum status image_stb_read(const char *path, const struct image_request *request,
                           const struct image_rows *rows, struct error *err);

/* Walks a JPEG's segments to its end marker, before stb_image sees it: that trusts the lengths of Huffman
 * tables (Debian 12's writes past its own), and reads beyond a file's end as zeros. */
enum status image_jpeg_check(const char *path, struct error *err);

#endif
