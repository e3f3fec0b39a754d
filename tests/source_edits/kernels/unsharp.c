#include <stdint.h>
#define W 14
#define H 9

static uint8_t clamp8(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

/* Three times the middle less twice the mean around it, in two nests. */
void unsharp(const uint8_t in[H][W], uint8_t out[H - 2][W - 2])
{
    uint8_t mean[H - 2][W - 2];

    for (int y = 0; y < H - 2; y++)
        for (int x = 0; x < W - 2; x++) {
            int sum = 0;
            for (int j = 0; j < 3; j++)
                for (int i = 0; i < 3; i++)
                    sum += in[y + j][x + i];
            mean[y][x] = sum / 9;
        }

    // sharper than it was
    for (int r = 0; r < H - 2; r++)
        for (int c = 0; c < W - 2; c++)
            out[r][c] = clamp8(3 * in[r + 1][c + 1] - 2 * mean[r][c]);
}
