/* A grey picture of three colours, and what differs from the pixel before. */
#include <stdint.h>
#define H 12
#define W 16
void grey(const uint8_t in[H][W][3], uint8_t out[H][W], int16_t redder[H][W - 1])
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            out[y][x] = (in[y][x][0] * 77 + in[y][x][1] * 150 + in[y][x][2] * 29 + 128) >> 8;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W - 1; x++)
            redder[y][x] = in[y][x + 1][0] - in[y][x][0] + in[y][x][1] - in[y][x][2]
                         + (in[y][x + 1][1] ^ in[y][x + 1][2]);
}
