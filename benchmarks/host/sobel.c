#define N 4096

/* Sobel gradients behind a producer, with the rows of both in one nest. */
void sobel(const float in[N][N], float out[N][N])
{
    float t[N][N];
#pragma scop
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++)
            t[y][x] = in[y][x] * 0.5f + 1.0f;
        for (int x = 2; x < N; x++)
            if (y >= 2)
                out[y][x] = (t[y - 2][x] + 2 * t[y - 1][x] + t[y][x]) - (t[y - 2][x - 2] + 2 * t[y - 1][x - 2] + t[y][x - 2]);
    }
#pragma endscop
}
