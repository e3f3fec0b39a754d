// An unknown name: the first error of the compiler, and how many follow.
#include "pixels.h"
void top(pixel in[8], int out[8]) {
    for (int i = 0; i < 8; i++)
        out[i] = in[i].red + lost;
}
