#define N 4096

/* A 3x3 box blur: rows are summed, and three sums of a column make a point. */
void blur(const float in[N][N + 2], float out[N][N])
{
    float rows[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            rows[y][x] = in[y][x] + in[y][x + 1] + in[y][x + 2];
            if (y >= 2)
                out[y - 2][x] = rows[y - 2][x] + rows[y - 1][x] + rows[y][x];
        }
#pragma endscop
}
