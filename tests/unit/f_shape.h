/* The letter F, 9 wide and 11 high, y counted from the south: any turn, flip or shift shows. */
#ifndef TESTS_F_SHAPE_H
#define TESTS_F_SHAPE_H
#include <stdbool.h>
#include <stdint.h>

enum { F_WIDTH = 9, F_HEIGHT = 11 };
bool f_shape_ink(int32_t x, int32_t y); /* false outside */

#endif
