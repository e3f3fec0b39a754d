/* Five neighbours of a pixel in one cycle, from an image that is in memory: five banks. */
#define N 64
#define M 64

void stencil5(const int in[N][M], int out[N][M])
{
#pragma scop
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < M - 1; x++)
S:          out[y][x] = 4 * in[y][x] - in[y][x - 1] - in[y][x + 1] - in[y - 1][x] - in[y + 1][x];
#pragma endscop
}
