/* Owns TERRAIN_CLONES: put before a kernel's function, it compiles it once more for AVX2 and picks at load
 * time (function multiversioning). The bits stay the same: AVX2 has no fused multiply-add and contraction is
 * off. What such a function calls must be inline, else it is compiled for the baseline. Empty where the tools
 * cannot (sanitizers run before the resolvers, other processors, Windows). Only for static functions: clang
 * 14 gives a cloned function another name to the linker. TERRAIN_CLONES_64 adds AVX-512 for loops of 64-bit
 * multiplications, which AVX2 has to put together from smaller ones: for whole numbers alone, AVX-512 has
 * fused multiply-add. */
#ifndef TERRAIN_CLONES_H
#define TERRAIN_CLONES_H

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TERRAIN_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TERRAIN_SANITIZED 1
#endif

#if defined(__x86_64__) && defined(__linux__) && defined(__OPTIMIZE__) && !defined(TERRAIN_SANITIZED)
#define TERRAIN_CLONES __attribute__((target_clones("avx2", "default")))
#if defined(__clang__) /* each knows one of the names */
#define TERRAIN_CLONES_64 __attribute__((target_clones("avx512dq", "avx2", "default")))
#else
#define TERRAIN_CLONES_64 __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#endif
#else
#define TERRAIN_CLONES
#define TERRAIN_CLONES_64
#endif

#endif
