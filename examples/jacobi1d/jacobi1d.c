#define N 64
#define T 20

/* Three-point stencil over time, every time step in a row of its own. */
void jacobi1d(const float start[N], float end[N])
{
    float a[T + 1][N];
#pragma scop
    for (int i = 0; i < N; i++)
Load:   a[0][i] = start[i];
    for (int t = 1; t <= T; t++)
        for (int i = 0; i < N; i++) {
            if (i >= 1 && i <= N - 2)
Step:           a[t][i] = 0.33333f * (a[t - 1][i - 1] + a[t - 1][i] + a[t - 1][i + 1]);
            else
Edge:           a[t][i] = a[t - 1][i];
        }
    for (int i = 0; i < N; i++)
Store:  end[i] = a[T][i];
#pragma endscop
}
