#include <stdint.h>
#include <stdlib.h>

#define N 64

/* Gradient magnitude of an image that streams in, row by row. */
void sobel(const uint8_t in[N][N], int16_t out[N][N])
{
#pragma scop
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++)
            out[y][x] = abs(in[y - 1][x + 1] + 2 * in[y][x + 1] + in[y + 1][x + 1]
                            - in[y - 1][x - 1] - 2 * in[y][x - 1] - in[y + 1][x - 1])
                      + abs(in[y + 1][x - 1] + 2 * in[y + 1][x] + in[y + 1][x + 1]
                            - in[y - 1][x - 1] - 2 * in[y - 1][x] - in[y - 1][x + 1]);
#pragma endscop
}
