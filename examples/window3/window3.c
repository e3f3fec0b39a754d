#include <stdint.h>

#define W 640
#define H 480

/* A 3x3 Gaussian of an image that streams in, row by row. */
void window3(const uint8_t in[H][W], uint8_t out[H][W])
{
#pragma scop
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
            out[y][x] = (in[y - 1][x - 1] + 2 * in[y - 1][x] + in[y - 1][x + 1]
                         + 2 * in[y][x - 1] + 4 * in[y][x] + 2 * in[y][x + 1]
                         + in[y + 1][x - 1] + 2 * in[y + 1][x] + in[y + 1][x + 1]) / 16;
#pragma endscop
}
