#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/deflate.h"
#include "terrain/hash.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST = 3 * DEFLATE_BLOCK };

/* zlib reads back what was packed in blocks of these sizes; returns the packed size. */
static size_t comes_back(const unsigned char *bytes, const size_t *blocks, size_t count) {
    struct deflate *state = calloc(1, sizeof *state);
    unsigned char *packed = malloc(count * DEFLATE_ROOM), *back = malloc(MOST + 1);
    assert_true(state && packed && back);
    size_t size = 0, at = 0;
    for (size_t i = 0; i < count; i++) {
        size_t more = deflate_block(state, bytes + at, blocks[i], i + 1 == count, packed + size);
        assert_true(more <= DEFLATE_ROOM);
        size += more;
        at += blocks[i];
    }
    z_stream z = {.next_in = packed, .avail_in = (uInt)size, .next_out = back, .avail_out = MOST + 1};
    assert_int_equal(inflateInit2(&z, -15), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    assert_int_equal(z.total_out, at);
    assert_memory_equal(back, bytes, at);
    inflateEnd(&z);
    free(state);
    free(packed);
    free(back);
    return size;
}

static void every_length_of_run_comes_back(void **state) {
    (void)state;
    unsigned char *bytes = malloc(MOST);
    assert_non_null(bytes);
    size_t size = 0;
    for (size_t run = 1; run <= 600; run++) {
        memset(bytes + size, (int)(run * 7 % 256), run);
        size += run;
    }
    size_t half[] = {size / 2, size - size / 2}; /* above a block's most */
    assert_true(half[0] <= DEFLATE_BLOCK && half[1] <= DEFLATE_BLOCK);
    assert_true(comes_back(bytes, half, 2) < 6000);
    free(bytes);
}

static void small_and_empty_blocks_come_back(void **state) {
    (void)state;
    static const unsigned char bytes[] = "aaaaaab\0\0\0\0\xff\xff\xff\xff";
    for (size_t size = 0; size < sizeof bytes; size++)
        for (size_t first = 0; first <= size; first++) {
            size_t blocks[] = {first, size - first, 0};
            comes_back(bytes, blocks, 1);
            comes_back(bytes, blocks, 2);
            comes_back(bytes, blocks, 3);
        }
}

/* Bytes of every kind of distribution: a few of them, all alike, powers of two. */
static void random_bytes_come_back(void **state) {
    (void)state;
    unsigned char *bytes = malloc(MOST);
    assert_non_null(bytes);
    for (int32_t k = 0; k < 24; k++) {
        for (size_t i = 0; i < MOST; i++) {
            uint64_t h = hash_place(1, 2, (int32_t)i, k, 0);
            int32_t rare = 0; /* as likely as 2^-rare */
            while (h >> rare & 1)
                rare++;
            bytes[i] = (unsigned char)(k % 3 == 0   ? h >> 20
                                       : k % 3 == 1 ? (h >> 20) % (uint64_t)(k + 1)
                                                    : (uint64_t)rare);
        }
        size_t a = hash_place(3, 4, k, 0, 0) % DEFLATE_BLOCK,
               blocks[] = {a, DEFLATE_BLOCK, DEFLATE_BLOCK - a};
        size_t packed = comes_back(bytes, blocks, 3), all = blocks[0] + blocks[1] + blocks[2];
        assert_true(packed < all + all / 100 + 600);
    }
    free(bytes);
}

/* Counts that grow like Fibonacci's numbers ask for the deepest tree. */
static void codes_are_complete_and_short_enough(void **state) {
    (void)state;
    for (int32_t longest = 5; longest <= 15; longest++) {
        uint32_t counts[30] = {1, 1};
        uint8_t lengths[30];
        for (size_t i = 2; i < 30; i++)
            counts[i] = counts[i - 1] + counts[i - 2];
        deflate_lengths(counts, 30, longest, lengths);
        uint32_t sum = 0;
        for (size_t i = 0; i < 30; i++) {
            assert_true(lengths[i] >= 1 && lengths[i] <= longest);
            assert_true(i == 0 || lengths[i] <= lengths[i - 1]);
            sum += 1u << (15 - lengths[i]);
        }
        assert_int_equal(sum, 1u << 15);
    }
}

static void one_symbol_has_one_bit(void **state) {
    (void)state;
    uint32_t counts[19] = {[7] = 12};
    uint8_t lengths[19], none[19] = {0};
    deflate_lengths(counts, 19, 7, lengths);
    assert_int_equal(lengths[7], 1);
    lengths[7] = 0;
    assert_memory_equal(lengths, none, sizeof none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_of_run_comes_back),
        cmocka_unit_test(small_and_empty_blocks_come_back),
        cmocka_unit_test(random_bytes_come_back),
        cmocka_unit_test(codes_are_complete_and_short_enough),
        cmocka_unit_test(one_symbol_has_one_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
