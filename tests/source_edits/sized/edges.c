#include <stdint.h>
#define W 96
#define H 64

/* Smooth, Laplace, threshold: a nest each. */
void edges(const uint8_t in[H][W], uint8_t out[H][W])
{
    uint8_t s[H][W];
    int16_t l[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W - 1; x++)
            s[y][x] = (in[y][x - 1] + 2 * in[y][x] + in[y][x + 1]) / 4;
    for (int y = 1; y < H - 1; y++)
        for (int x = 2; x < W - 2; x++)
            l[y][x] = 4 * s[y][x] - s[y - 1][x] - s[y + 1][x] - s[y][x - 1] - s[y][x + 1];
    for (int y = 1; y < H - 1; y++)
        for (int x = 2; x < W - 2; x++)
            out[y][x] = l[y][x] > 10 ? 255 : 0;
}
