#include <stdint.h>

#define W 640
#define H 480

/* A 5x5 Gaussian of an image that streams in, row by row. */
void window5(const uint8_t in[H][W], uint8_t out[H][W])
{
#pragma scop
    for (int y = 2; y < H - 2; y++)
        for (int x = 2; x < W - 2; x++)
            out[y][x] = (in[y - 2][x - 2] + 4 * in[y - 2][x - 1] + 6 * in[y - 2][x] + 4 * in[y - 2][x + 1] + in[y - 2][x + 2]
                         + 4 * in[y - 1][x - 2] + 16 * in[y - 1][x - 1] + 24 * in[y - 1][x] + 16 * in[y - 1][x + 1] + 4 * in[y - 1][x + 2]
                         + 6 * in[y][x - 2] + 24 * in[y][x - 1] + 36 * in[y][x] + 24 * in[y][x + 1] + 6 * in[y][x + 2]
                         + 4 * in[y + 1][x - 2] + 16 * in[y + 1][x - 1] + 24 * in[y + 1][x] + 16 * in[y + 1][x + 1] + 4 * in[y + 1][x + 2]
                         + in[y + 2][x - 2] + 4 * in[y + 2][x - 1] + 6 * in[y + 2][x] + 4 * in[y + 2][x + 1] + in[y + 2][x + 2]) / 256;
#pragma endscop
}
