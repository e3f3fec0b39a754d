#include <stdint.h>

#define W 640
#define H 480

/* A 7x7 mean of an image that streams in, row by row. */
void window7(const uint8_t in[H][W], uint8_t out[H][W])
{
#pragma scop
    for (int y = 6; y < H; y++)
        for (int x = 6; x < W; x++)
S:          out[y - 3][x - 3] = (in[y - 6][x - 6] + in[y - 6][x - 5] + in[y - 6][x - 4] + in[y - 6][x - 3] + in[y - 6][x - 2] + in[y - 6][x - 1] + in[y - 6][x]
                               + in[y - 5][x - 6] + in[y - 5][x - 5] + in[y - 5][x - 4] + in[y - 5][x - 3] + in[y - 5][x - 2] + in[y - 5][x - 1] + in[y - 5][x]
                               + in[y - 4][x - 6] + in[y - 4][x - 5] + in[y - 4][x - 4] + in[y - 4][x - 3] + in[y - 4][x - 2] + in[y - 4][x - 1] + in[y - 4][x]
                               + in[y - 3][x - 6] + in[y - 3][x - 5] + in[y - 3][x - 4] + in[y - 3][x - 3] + in[y - 3][x - 2] + in[y - 3][x - 1] + in[y - 3][x]
                               + in[y - 2][x - 6] + in[y - 2][x - 5] + in[y - 2][x - 4] + in[y - 2][x - 3] + in[y - 2][x - 2] + in[y - 2][x - 1] + in[y - 2][x]
                               + in[y - 1][x - 6] + in[y - 1][x - 5] + in[y - 1][x - 4] + in[y - 1][x - 3] + in[y - 1][x - 2] + in[y - 1][x - 1] + in[y - 1][x]
                               + in[y][x - 6] + in[y][x - 5] + in[y][x - 4] + in[y][x - 3] + in[y][x - 2] + in[y][x - 1] + in[y][x]) / 49;
#pragma endscop
}
