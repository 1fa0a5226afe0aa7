/* stb_image's implementation (public domain, Debian's libstb-dev): JPEG, BMP and TGA, from callbacks only. No
 * SIMD, so that every processor decodes a JPEG to the same bytes. */
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wundef"
#pragma GCC diagnostic ignored "-Wswitch-enum"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <stdlib.h>
/* zeroed: a damaged JPEG may leave parts of a picture unwritten, which must not differ from run to run */
#define STBI_MALLOC(size)       calloc(1, size)
#define STBI_REALLOC(old, size) realloc(old, size)
#define STBI_FREE(old)          free(old)
#define STB_IMAGE_IMPLEMENTATION
#include "gen/stb_config.h"
