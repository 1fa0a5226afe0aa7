#include "f_shape.h"

bool f_shape_ink(int32_t x, int32_t y) {
    static const char *const rows[F_HEIGHT] = {
        "         ", " ####### ", " ####### ", " ##      ", " ##      ", " #####   ",
        " #####   ", " ##      ", " ##      ", " ##      ", "         "}; /* north first, as it reads */
    if (x < 0 || y < 0 || x >= F_WIDTH || y >= F_HEIGHT)
        return false;
    return rows[F_HEIGHT - 1 - y][x] == '#';
}
