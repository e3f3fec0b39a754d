/* Interpolation between every second sample, four at once. Banks by a sum of the coordinates
 * would have to be five; blocks of two neighbours in each bank do with four. */
#include <stdint.h>
#define N 32
#define M 32

void bicubic(const int16_t in[N][M], int16_t out[N][M])
{
#pragma scop
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < M - 2; x++)
S:          out[y][x] = (9 * (in[y][x + 2] + in[y + 2][x]) - in[y][x] - in[y + 2][x + 2]) >> 4;
#pragma endscop
}
