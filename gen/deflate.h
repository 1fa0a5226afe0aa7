/* Owns a fast packing of bytes that come piece by piece, as deflate's blocks (RFC 1951): runs of one byte,
 * and the block's own Huffman code; no search for what was there before. Noisy pictures gain nothing from a
 * search, and this is several times faster. Whole buffers go to libdeflate (gen/png_write.c), which finds
 * more. */
#ifndef GEN_DEFLATE_H
#define GEN_DEFLATE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DEFLATE_BLOCK = 1 << 17 }; /* bytes of a block at most */
/* Bytes that a block takes at most, what was left of the one before included. */
enum { DEFLATE_ROOM = 2 * DEFLATE_BLOCK + 1024 };

/* Zeroed before the first block of a stream. */
struct deflate {
    uint64_t bits; /* that do not make a byte yet, lowest first */
    int32_t bit_count;
    uint16_t tokens[DEFLATE_BLOCK]; /* of the block: bytes, and runs */
};

/* Packs a block of 0..DEFLATE_BLOCK bytes to `out`, DEFLATE_ROOM bytes; returns how many it has written.
 * last: the stream ends with it, at a whole byte. */
size_t deflate_block(struct deflate *state, const unsigned char *bytes, size_t size, bool last,
                     unsigned char *out);

/* The code lengths, up to `longest`, of the shortest code for symbols that occur so often (those that do not
 * occur have none, one alone has 1). 2..DEFLATE_SYMBOLS symbols; a code of `longest` bits must be able to
 * hold them. Ties are broken by the symbol. */
enum { DEFLATE_SYMBOLS = 286 };
void deflate_lengths(const uint32_t *counts, int32_t symbols, int32_t longest, uint8_t *lengths);

#endif
