/* Owns how colours are written in files: #rrggbb. */
#ifndef GEN_HEX_COLOR_H
#define GEN_HEX_COLOR_H
#include <stdbool.h>
#include <stdint.h>

/* False: not '#' and six hexadecimal digits; rgb may be changed. */
bool hex_color(const char *text, uint8_t rgb[3]);

#endif
