#include "gen/deflate.h"

#include <stdlib.h>
#include <string.h>

enum { END = 256, RUN_MIN = 3, RUN_MAX = 258, CODE_BITS = 15, LENGTH_BITS = 7, LENGTH_SYMBOLS = 19 };
enum { ZEROS_SHORT = 17, ZEROS_LONG = 18 }; /* 3..10 and 11..138 lengths of 0 */

/* ---- codes ---- */

struct leaf {
    uint32_t weight;
    int32_t symbol;
};

static int by_weight(const void *a, const void *b) {
    const struct leaf *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return x->symbol - y->symbol;
}

/* Huffman's tree of sorted leaves, with two queues: leaves, and joined nodes, both ascending. depth[i]: of
 * leaf i. Returns the greatest depth. */
static int32_t tree_depths(const struct leaf *leaves, int32_t count, int32_t *depth) {
    uint32_t weight[DEFLATE_SYMBOLS];
    int32_t parent[2 * DEFLATE_SYMBOLS] = {0}, leaf = 0, joined = 0, deepest = 0;
    for (int32_t made = 0; made < count - 1; made++) {
        weight[made] = 0;
        for (int32_t k = 0; k < 2; k++) {
            bool take_leaf = leaf < count && (joined == made || leaves[leaf].weight <= weight[joined]);
            weight[made] += take_leaf ? leaves[leaf].weight : weight[joined];
            parent[take_leaf ? leaf++ : count + joined++] = count + made;
        }
    }
    int32_t inner[DEFLATE_SYMBOLS] = {0}; /* depths of joined nodes; the root is the last */
    for (int32_t i = count - 3; i >= 0; i--)
        inner[i] = inner[parent[count + i] - count] + 1;
    for (int32_t i = 0; i < count; i++) {
        depth[i] = inner[parent[i] - count] + 1;
        deepest = depth[i] > deepest ? depth[i] : deepest;
    }
    return deepest;
}

void deflate_lengths(const uint32_t *counts, int32_t symbols, int32_t longest, uint8_t *lengths) {
    struct leaf leaves[DEFLATE_SYMBOLS];
    int32_t depth[DEFLATE_SYMBOLS], count = 0;
    memset(lengths, 0, (size_t)symbols);
    for (int32_t s = 0; s < symbols; s++)
        if (counts[s])
            leaves[count++] = (struct leaf){counts[s], s};
    if (count == 1)
        lengths[leaves[0].symbol] = 1;
    if (count < 2)
        return;
    qsort(leaves, (size_t)count, sizeof *leaves, by_weight);
    while (tree_depths(leaves, count, depth) > longest) /* flatter, until it fits */
        for (int32_t i = 0; i < count; i++)
            leaves[i].weight = leaves[i].weight / 2 + 1;
    for (int32_t i = 0; i < count; i++)
        lengths[leaves[i].symbol] = (uint8_t)depth[i];
}

struct code {
    uint16_t bits; /* turned: the first bit is the lowest */
    uint8_t length;
};

/* The canonical code of given lengths (RFC 1951, 3.2.2). */
static void assign_codes(const uint8_t *lengths, int32_t symbols, struct code *codes) {
    uint32_t next[CODE_BITS + 1] = {0}, count[CODE_BITS + 1] = {0};
    for (int32_t s = 0; s < symbols; s++)
        count[lengths[s]]++;
    count[0] = 0;
    for (int32_t b = 1; b <= CODE_BITS; b++)
        next[b] = (next[b - 1] + count[b - 1]) << 1;
    for (int32_t s = 0; s < symbols; s++) {
        uint32_t code = lengths[s] ? next[lengths[s]]++ : 0, turned = 0;
        for (int32_t b = 0; b < lengths[s]; b++)
            turned |= (code >> b & 1) << (lengths[s] - 1 - b);
        codes[s] = (struct code){(uint16_t)turned, lengths[s]};
    }
}

/* The symbol of a run's length, and the bits that tell lengths of one symbol apart (RFC 1951, 3.2.5). */
static int32_t run_symbol(int32_t run, int32_t *extra_bits, uint32_t *extra) {
    *extra_bits = 0;
    *extra = 0;
    if (run == RUN_MAX)
        return 285;
    uint32_t from = (uint32_t)(run - RUN_MIN);
    while (from >> *extra_bits >= 8)
        ++*extra_bits;
    *extra = from & ((1u << *extra_bits) - 1);
    return END + 1 + 4 * *extra_bits + (int32_t)(from >> *extra_bits);
}

/* ---- a block ---- */

/* The block as bytes and, END + length, repetitions of the byte before; counts: of symbols. */
static size_t find_runs(const unsigned char *bytes, size_t size, uint16_t *tokens, uint32_t *counts) {
    uint32_t of_bytes[4][END] = {{0}}; /* four: none waits for the one before */
    size_t count = 0;
    for (size_t i = 0; i < size;) {
        unsigned char byte = bytes[i++];
        tokens[count++] = byte;
        of_bytes[count & 3][byte]++;
        if (size - i < RUN_MIN || bytes[i] != byte || bytes[i + 1] != byte || bytes[i + 2] != byte)
            continue;
        size_t end = i + RUN_MIN;
        while (end < size && bytes[end] == byte)
            end++;
        while (end - i >= RUN_MIN) {
            int32_t run = end - i < RUN_MAX ? (int32_t)(end - i) : RUN_MAX, extra_bits;
            uint32_t extra;
            tokens[count++] = (uint16_t)(END + run);
            counts[run_symbol(run, &extra_bits, &extra)]++;
            i += (size_t)run;
        }
    }
    for (int32_t b = 0; b < END; b++)
        counts[b] = of_bytes[0][b] + of_bytes[1][b] + of_bytes[2][b] + of_bytes[3][b];
    return count;
}

/* Bits on their way to bytes. */
struct sink {
    uint64_t bits;
    int32_t count;     /* below 8 but between hold_bits and flush */
    unsigned char *at; /* 8 bytes are written here, whole ones stay */
};

/* At most 56 bits between two flushes. */
static inline void hold_bits(struct sink *sink, uint32_t bits, int32_t count) {
    sink->bits |= (uint64_t)bits << sink->count;
    sink->count += count;
}

static inline void flush(struct sink *sink) {
    for (int32_t k = 0; k < 8; k++)
        sink->at[k] = (unsigned char)(sink->bits >> (8 * k));
    sink->at += sink->count >> 3;
    sink->bits >>= sink->count & ~7;
    sink->count &= 7;
}

static void put_bits(struct sink *sink, uint32_t bits, int32_t count) {
    hold_bits(sink, bits, count);
    flush(sink);
}

static void put_code(struct sink *sink, struct code code) {
    put_bits(sink, code.bits, code.length);
}

/* A block's lengths as symbols of a third code, zeros put together; extra: what follows a symbol. */
static int32_t pack_lengths(const uint8_t *lengths, int32_t count, uint8_t *symbols, uint8_t *extra) {
    int32_t n = 0;
    for (int32_t i = 0; i < count;) {
        int32_t zeros = 0;
        while (i + zeros < count && zeros < 138 && lengths[i + zeros] == 0)
            zeros++;
        bool together = zeros >= 3;
        symbols[n] = !together ? lengths[i] : zeros > 10 ? ZEROS_LONG : ZEROS_SHORT;
        extra[n++] = (uint8_t)(!together ? 0 : zeros > 10 ? zeros - 11 : zeros - 3);
        i += together ? zeros : 1;
    }
    return n;
}

/* Bytes and runs have all symbols; distances one, of one bit: the byte before. */
static void put_lengths(struct sink *sink, uint8_t lengths[DEFLATE_SYMBOLS + 1]) {
    static const uint8_t order[LENGTH_SYMBOLS] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                                  11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t symbols[DEFLATE_SYMBOLS + 1], extra[DEFLATE_SYMBOLS + 1], of_length[LENGTH_SYMBOLS];
    uint32_t counts[LENGTH_SYMBOLS] = {0};
    struct code codes[LENGTH_SYMBOLS];
    lengths[DEFLATE_SYMBOLS] = 1;
    int32_t n = pack_lengths(lengths, DEFLATE_SYMBOLS + 1, symbols, extra), last = LENGTH_SYMBOLS - 1;
    for (int32_t i = 0; i < n; i++)
        counts[symbols[i]]++;
    deflate_lengths(counts, LENGTH_SYMBOLS, LENGTH_BITS, of_length);
    assign_codes(of_length, LENGTH_SYMBOLS, codes);
    while (last > 3 && of_length[order[last]] == 0)
        last--;
    put_bits(sink, DEFLATE_SYMBOLS - 257, 5);
    put_bits(sink, 0, 5); /* one distance */
    put_bits(sink, (uint32_t)(last + 1 - 4), 4);
    for (int32_t i = 0; i <= last; i++)
        put_bits(sink, of_length[order[i]], 3);
    for (int32_t i = 0; i < n; i++) {
        put_code(sink, codes[symbols[i]]);
        if (symbols[i] >= ZEROS_SHORT)
            put_bits(sink, extra[i], symbols[i] == ZEROS_SHORT ? 3 : 7);
    }
}

static void put_tokens(struct sink *to, const uint16_t *tokens, size_t count, const struct code *codes) {
    struct sink sink = *to; /* in registers */
    for (size_t i = 0; i < count;) {
        struct code code;
        if (tokens[i] >= END) {
            int32_t extra_bits;
            uint32_t extra;
            code = codes[run_symbol(tokens[i++] - END, &extra_bits, &extra)];
            hold_bits(&sink, code.bits, code.length);
            hold_bits(&sink, extra, extra_bits + 1); /* and the distance's 0 */
        } else {
            code = codes[tokens[i]];
            hold_bits(&sink, code.bits, code.length);
            if (++i < count && tokens[i] < END) { /* most often there are two */
                code = codes[tokens[i++]];
                hold_bits(&sink, code.bits, code.length);
            }
        }
        flush(&sink);
    }
    put_code(&sink, codes[END]);
    *to = sink;
}

size_t deflate_block(struct deflate *state, const unsigned char *bytes, size_t size, bool last,
                     unsigned char *out) {
    uint32_t counts[DEFLATE_SYMBOLS] = {[END] = 1};
    uint8_t lengths[DEFLATE_SYMBOLS + 1];
    struct code codes[DEFLATE_SYMBOLS];
    struct sink sink = {state->bits, state->bit_count, out};
    size_t count = find_runs(bytes, size, state->tokens, counts);
    if (size == 0)
        counts[0] = 1; /* a code of one symbol is no code */
    deflate_lengths(counts, DEFLATE_SYMBOLS, CODE_BITS, lengths);
    assign_codes(lengths, DEFLATE_SYMBOLS, codes);
    put_bits(&sink, last, 1);
    put_bits(&sink, 2, 2); /* with its own code */
    put_lengths(&sink, lengths);
    put_tokens(&sink, state->tokens, count, codes);
    if (last)
        put_bits(&sink, 0, (8 - sink.count) % 8);
    state->bits = sink.bits;
    state->bit_count = sink.count;
    return (size_t)(sink.at - out);
}
