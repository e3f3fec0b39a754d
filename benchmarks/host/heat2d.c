#define N 2048

/* Eight steps of a 5-point heat equation as a wave of rows: step t is t rows behind, and knows one
 * point fewer on every side than the step before it. */
void heat2d(const double in[N][N], double out[N][N])
{
    double a[9][N][N];
#pragma scop
    for (int w = 0; w < N; w++) {
        for (int j = 0; j < N; j++)
            a[0][w][j] = in[w][j];
        for (int t = 1; t < 9; t++)
            if (w >= 2 * t)
                for (int j = t; j < N - t; j++)
                    a[t][w - t][j] = 0.5 * a[t - 1][w - t][j] + 0.125 * (a[t - 1][w - t - 1][j] + a[t - 1][w - t + 1][j] + a[t - 1][w - t][j - 1] + a[t - 1][w - t][j + 1]);
        if (w >= 16)
            for (int j = 8; j < N - 8; j++)
                out[w - 8][j] = a[8][w - 8][j];
    }
#pragma endscop
}
