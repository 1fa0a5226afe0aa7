#include "gen/raster.h"

#include <stdlib.h>
#include <string.h>
#define XXH_STATIC_LINKING_ONLY /* the state on the stack: nothing to fail */
#include <xxhash.h>

enum { SIDE_MAX = 1000000 };

size_t raster_pixel_size(enum raster_kind kind) {
    return kind == KIND_GREY8 ? 1 : kind == KIND_GREY16 ? 2 : 3;
}

size_t raster_row_size(const struct raster *r) {
    return (size_t)r->width * raster_pixel_size(r->kind);
}

enum status raster_new(enum raster_kind kind, int32_t width, int32_t height, struct raster *r,
                       struct error *err) {
    *r = (struct raster){.kind = kind};
    if (width < 1 || height < 1 || width > SIDE_MAX || height > SIDE_MAX)
        return error_set(err, STATUS_LIMIT, "an image of %d x %d pixels is refused", width, height);
    unsigned char *samples = calloc((size_t)height, (size_t)width * raster_pixel_size(kind));
    if (!samples)
        return error_set(err, STATUS_LIMIT, "out of memory for an image of %d x %d pixels", width, height);
    *r = (struct raster){kind, width, height, samples};
    return STATUS_OK;
}

void raster_free(struct raster *r) {
    free(r->samples);
    *r = (struct raster){.samples = NULL};
}

uint32_t raster_code(const struct raster *r, int32_t x, int32_t y) {
    const unsigned char *at = raster_at(r, x, y);
    if (r->kind == KIND_GREY8)
        return at[0];
    if (r->kind == KIND_RGB8)
        return (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2];
    uint16_t code;
    memcpy(&code, at, sizeof code);
    return code;
}

static void put_u32(unsigned char *at, uint32_t v) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(v >> (8 * i));
}

static bool little_endian(void) {
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static struct hash128 of_xxh(XXH128_hash_t h) {
    return (struct hash128){h.low64, h.high64};
}

static void swap_pairs(unsigned char *out, const unsigned char *in, size_t size) {
    for (size_t i = 0; i + 1 < size; i += 2) {
        out[i] = in[i + 1];
        out[i + 1] = in[i];
    }
}

_Static_assert(sizeof(XXH3_state_t) <= sizeof(struct bytes_hasher), "the state fits");

void raster_hash_begin(struct bytes_hasher *hasher, enum raster_kind kind, int32_t width, int32_t height) {
    unsigned char head[16];
    put_u32(head, kind == KIND_RGB8 ? 3 : 1);
    put_u32(head + 4, kind == KIND_GREY16 ? 16 : 8);
    put_u32(head + 8, (uint32_t)width);
    put_u32(head + 12, (uint32_t)height);
    bytes_hash_begin(hasher);
    bytes_hash_add(hasher, head, sizeof head);
}

void raster_hash_row(struct bytes_hasher *hasher, enum raster_kind kind, const void *row, size_t row_size) {
    if (kind != KIND_GREY16 || little_endian()) {
        bytes_hash_add(hasher, row, row_size);
        return;
    }
    unsigned char turned[512];
    for (size_t at = 0; at < row_size; at += sizeof turned) {
        size_t n = row_size - at < sizeof turned ? row_size - at : sizeof turned;
        swap_pairs(turned, (const unsigned char *)row + at, n);
        bytes_hash_add(hasher, turned, n);
    }
}

struct hash128 raster_hash(const struct raster *r) {
    struct bytes_hasher hasher;
    raster_hash_begin(&hasher, r->kind, r->width, r->height);
    for (int32_t y = r->height; y-- > 0;)
        raster_hash_row(&hasher, r->kind, raster_at(r, 0, y), raster_row_size(r));
    return bytes_hash_end(&hasher);
}

struct hash128 bytes_hash(const void *bytes, size_t size) {
    return of_xxh(XXH3_128bits(bytes, size));
}

void bytes_hash_begin(struct bytes_hasher *hasher) {
    XXH3_state_t *state = (void *)hasher;
    XXH3_INITSTATE(state);
    XXH3_128bits_reset(state);
}

void bytes_hash_add(struct bytes_hasher *hasher, const void *bytes, size_t size) {
    XXH3_128bits_update((void *)hasher, bytes, size);
}

struct hash128 bytes_hash_end(struct bytes_hasher *hasher) {
    return of_xxh(XXH3_128bits_digest((void *)hasher));
}

void hash128_text(struct hash128 h, char text[HASH_TEXT_SIZE]) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 32; i++) {
        uint64_t half = i < 16 ? h.hi : h.lo;
        text[i] = digits[half >> (60 - 4 * (i % 16)) & 15];
    }
    text[32] = '\0';
}

bool hash128_parse(const char *text, struct hash128 *h) {
    uint64_t half[2] = {0, 0};
    for (int i = 0; i < 32; i++) {
        char c = text[i];
        int v = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (v < 0)
            return false;
        half[i / 16] = half[i / 16] << 4 | (uint64_t)v;
    }
    if (text[32] != '\0')
        return false;
    *h = (struct hash128){half[1], half[0]};
    return true;
}
