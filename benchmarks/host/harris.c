#define N 4096

/* Harris corners: gradients, their three products along x, and three rows of them a point. */
void harris(const float in[N][N], float out[N][N])
{
    float xx[N][N], xy[N][N], yy[N][N];
#pragma scop
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++) {
            xx[y][x] = (in[y][x + 1] - in[y][x - 1]) * (in[y][x + 1] - in[y][x - 1]);
            xy[y][x] = (in[y][x + 1] - in[y][x - 1]) * (in[y + 1][x] - in[y - 1][x]);
            yy[y][x] = (in[y + 1][x] - in[y - 1][x]) * (in[y + 1][x] - in[y - 1][x]);
            if (y >= 3)
                out[y][x] = (xx[y - 2][x] + xx[y - 1][x] + xx[y][x]) * (yy[y - 2][x] + yy[y - 1][x] + yy[y][x])
                          - (xy[y - 2][x] + xy[y - 1][x] + xy[y][x]) * (xy[y - 2][x] + xy[y - 1][x] + xy[y][x]);
        }
#pragma endscop
}
