#define N 128
#define T 8

void jact(float A[N][N])
{
    float B[N][N];
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int y = 1; y < N - 1; y++)
            for (int x = 1; x < N - 1; x++)
S0:             B[y][x] = (A[y - 1][x] + A[y][x - 1] + A[y][x + 1] + A[y + 1][x]) / 4;
        for (int y = 1; y < N - 1; y++)
            for (int x = 1; x < N - 1; x++)
S1:             A[y][x] = B[y][x];
    }
#pragma endscop
}
