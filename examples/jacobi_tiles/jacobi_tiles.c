#define N 12
#define T 8

/* Three-point smoothing over time. Tiled in t and t + i, and planned for every tile size. */
void jacobi_tiles(const int start[N], int end[N])
{
    int a[T + 1][N];
#pragma scop
    for (int t = 0; t <= T; t++)
        for (int i = 0; i < N; i++) {
            if (t == 0)
Load:           a[t][i] = start[i];
            else if (i >= 1 && i <= N - 2)
Step:           a[t][i] = (a[t - 1][i - 1] + 2 * a[t - 1][i] + a[t - 1][i + 1]) / 4;
            else
Edge:           a[t][i] = a[t - 1][i];
        }
    for (int i = 0; i < N; i++)
Store:  end[i] = a[T][i];
#pragma endscop
}
