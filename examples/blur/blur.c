#define N 64

/* Two 3-tap blurs, interleaved: columns are blurred as soon as three rows are there. */
void blur(const int in[N][N + 2], int out[N][N])
{
    int blurx[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
P:          blurx[y][x] = in[y][x] + in[y][x + 1] + in[y][x + 2];
            if (y >= 2)
C:              out[y - 2][x] = blurx[y - 2][x] + blurx[y - 1][x] + blurx[y][x];
        }
#pragma endscop
}
