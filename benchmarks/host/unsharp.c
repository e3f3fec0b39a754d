#define N 4096

/* Unsharp masking: five taps along y, five along x, and the difference added to the image. */
void unsharp(const float in[N][N], float out[N][N])
{
    float column[N][N], smooth[N][N];
#pragma scop
    for (int y = 2; y < N - 2; y++) {
        for (int x = 0; x < N; x++)
            column[y][x] = in[y - 2][x] + 4 * in[y - 1][x] + 6 * in[y][x] + 4 * in[y + 1][x] + in[y + 2][x];
        for (int x = 2; x < N - 2; x++)
            smooth[y][x] = column[y][x - 2] + 4 * column[y][x - 1] + 6 * column[y][x] + 4 * column[y][x + 1] + column[y][x + 2];
        for (int x = 2; x < N - 2; x++)
            out[y][x] = 3 * in[y][x] - smooth[y][x] / 128;
    }
#pragma endscop
}
