/* Owns numbers as little-endian bytes, whatever the machine's own order. */
#ifndef GEN_BYTES_H
#define GEN_BYTES_H
#include <stdint.h>
#include <string.h>

static inline unsigned char *put_u8(unsigned char *at, uint8_t v) {
    *at = v;
    return at + 1;
}
static inline unsigned char *put_u16(unsigned char *at, uint16_t v) {
    at[0] = (unsigned char)(v & 255);
    at[1] = (unsigned char)(v >> 8);
    return at + 2;
}
static inline unsigned char *put_u32(unsigned char *at, uint32_t v) {
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(v >> (8 * i) & 255);
    return at + 4;
}
static inline unsigned char *put_u64(unsigned char *at, uint64_t v) {
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(v >> (8 * i) & 255);
    return at + 8;
}
static inline unsigned char *put_f32(unsigned char *at, float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return put_u32(at, bits);
}
static inline unsigned char *put_f64(unsigned char *at, double v) {
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return put_u64(at, bits);
}
static inline uint32_t get_u32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static inline uint64_t get_u64(const unsigned char *at) {
    return (uint64_t)get_u32(at) | (uint64_t)get_u32(at + 4) << 32;
}
static inline float get_f32(const unsigned char *at) {
    uint32_t bits = get_u32(at);
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}
static inline double get_f64(const unsigned char *at) {
    uint64_t bits = get_u64(at);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#endif
