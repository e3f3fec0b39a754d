#include <stdint.h>

#define W 128
#define H 24

/* An unsharp mask: three times the pixel less twice its blurred neighbourhood. */
void unsharp(const uint8_t in[H][W], uint8_t out[H][W])
{
    uint8_t b[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            if (y >= 2 && x >= 2) {
B:              b[y - 1][x - 1] = (in[y - 2][x - 2] + in[y - 2][x - 1] + in[y - 2][x]
                                   + in[y - 1][x - 2] + 8 * in[y - 1][x - 1] + in[y - 1][x]
                                   + in[y][x - 2] + in[y][x - 1] + in[y][x]) / 16;
S:              out[y - 1][x - 1] = 3 * in[y - 1][x - 1] - 2 * b[y - 1][x - 1];
            }
#pragma endscop
}
