/* Rows first, four elements at once, then columns, four at once: both from the same banks. */
#include <stdint.h>
#define N 16

void transpose(const int32_t in[N][N], int32_t rows[N][N / 4], int32_t columns[N][N / 4])
{
    int32_t tile[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
L:          tile[y][x] = in[y][x] * 3;
    for (int y = 0; y < N; y++)
        for (int k = 0; k < N / 4; k++)
R:          rows[y][k] = tile[y][4 * k] + tile[y][4 * k + 1] + tile[y][4 * k + 2] + tile[y][4 * k + 3];
    for (int x = 0; x < N; x++)
        for (int k = 0; k < N / 4; k++)
C:          columns[x][k] = tile[4 * k][x] + tile[4 * k + 1][x] + tile[4 * k + 2][x] + tile[4 * k + 3][x];
#pragma endscop
}
