#include <stdint.h>

#define W 640
#define H 480

/* A Gaussian, then the squared gradient of what it leaves. */
void gauss_sobel(const uint8_t in[H][W], uint8_t out[H][W])
{
    uint8_t g[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            if (y >= 2 && x >= 2)
G:              g[y - 1][x - 1] = (in[y - 2][x - 2] + 2 * in[y - 2][x - 1] + in[y - 2][x]
                                   + 2 * in[y - 1][x - 2] + 4 * in[y - 1][x - 1] + 2 * in[y - 1][x]
                                   + in[y][x - 2] + 2 * in[y][x - 1] + in[y][x]) / 16;
            if (y >= 4 && x >= 4)
S:              out[y - 2][x - 2] = ((g[y - 1][x - 3] - g[y - 1][x - 1] + 2 * (g[y - 2][x - 3] - g[y - 2][x - 1]) + g[y - 3][x - 3] - g[y - 3][x - 1])
                                     * (g[y - 1][x - 3] - g[y - 1][x - 1] + 2 * (g[y - 2][x - 3] - g[y - 2][x - 1]) + g[y - 3][x - 3] - g[y - 3][x - 1])
                                     + (g[y - 1][x - 3] + 2 * g[y - 1][x - 2] + g[y - 1][x - 1] - g[y - 3][x - 3] - 2 * g[y - 3][x - 2] - g[y - 3][x - 1])
                                     * (g[y - 1][x - 3] + 2 * g[y - 1][x - 2] + g[y - 1][x - 1] - g[y - 3][x - 3] - 2 * g[y - 3][x - 2] - g[y - 3][x - 1])) / 1024;
        }
#pragma endscop
}
