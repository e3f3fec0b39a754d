#define N 16
#define T 6

/* Five-point stencil over time on a plane; the border keeps its values. */
void heat2d(const float start[N][N], float end[N][N])
{
    float a[T + 1][N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
Load:       a[0][i][j] = start[i][j];
    for (int t = 1; t <= T; t++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                if (i >= 1 && i <= N - 2 && j >= 1 && j <= N - 2)
Step:               a[t][i][j] = 0.5f * a[t - 1][i][j]
                               + 0.125f * (a[t - 1][i - 1][j] + a[t - 1][i + 1][j]
                                           + a[t - 1][i][j - 1] + a[t - 1][i][j + 1]);
                else
Edge:               a[t][i][j] = a[t - 1][i][j];
            }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
Store:      end[i][j] = a[T][i][j];
#pragma endscop
}
