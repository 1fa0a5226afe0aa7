/* stb_image as it is used here: what is switched off, in one place for its users and its implementation. */
#ifndef GEN_STB_CONFIG_H
#define GEN_STB_CONFIG_H
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_NO_SIMD
#define STBI_MAX_DIMENSIONS 65536
#include <stb_image.h>
#endif
