/* Owns randomness: hashes of integer places. Never a stream: what a place gets depends on nothing but its
 * coordinates, a stage's salt and the world's seed (docs/formats.md states each formula). */
#ifndef TERRAIN_HASH_H
#define TERRAIN_HASH_H
#include <stdint.h>

/* Finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64 bits. */
static inline uint64_t hash_mix(uint64_t x) {
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The hash of a place: seed, salt (which use of randomness), cell or lattice coordinates, and k, which of
 * several draws at that place. In three parts, for those that ask many places or draws: mix the seed in, the
 * place, the draw. */
static inline uint64_t hash_place_seed(uint64_t seed, uint64_t salt) {
    return hash_mix(seed + 0x9e3779b97f4a7c15u * (salt + 1));
}
static inline uint64_t hash_place_at(uint64_t seeded, int32_t x, int32_t y) {
    uint64_t xy = ((uint64_t)(uint32_t)y << 32) | (uint32_t)x;
    return hash_mix(seeded ^ xy);
}
static inline uint64_t hash_place_draw(uint64_t at, uint32_t k) {
    return hash_mix(at + 0x9e3779b97f4a7c15u * ((uint64_t)k + 1));
}
static inline uint64_t hash_place(uint64_t seed, uint64_t salt, int32_t x, int32_t y, uint32_t k) {
    return hash_place_draw(hash_place_at(hash_place_seed(seed, salt), x, y), k);
}

/* 0 <= u < 1, in steps of 2^-24: exact in float. */
static inline float hash_unit(uint64_t h) {
    return (float)(h >> 40) * 0x1p-24f;
}

/* FNV-1a (Fowler, Noll, Vo) of a zero-terminated name, finalised: a salt from a name. */
static inline uint64_t hash_name(const char *name) {
    uint64_t h = 0xcbf29ce484222325u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 0x100000001b3u;
    return hash_mix(h);
}

#endif
