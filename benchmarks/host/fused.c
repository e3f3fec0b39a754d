#define N 4096

/* Sobel gradients behind a producer, both in one loop. */
void fused(const float in[N][N], float out[N][N])
{
    float t[N][N];
#pragma scop
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = in[y][x] * 0.5f + 1.0f;
            if (x >= 2 && y >= 2)
                out[y][x] = (t[y - 2][x] + 2 * t[y - 1][x] + t[y][x]) - (t[y - 2][x - 2] + 2 * t[y - 1][x - 2] + t[y][x - 2]);
        }
#pragma endscop
}
