// cells: row=16
#include <stdint.h>
#define N 16
static int clampi(int v, int lo, int hi) { if (v < lo) return lo; if (v > hi) return hi; return v; }
void warp(const int8_t dx[N], const int16_t in[N][N], int16_t out[N][N])
{
    int16_t row[N];
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++)
            row[x] = in[y][x];
        for (int x = 0; x < N; x++)
            out[y][x] = row[clampi(x + dx[x], 0, N - 1)];
    }
}
