#define N 100
#define T 10

/* Lattice Boltzmann, 27 velocities in space, of diffusion at relaxation time one: populations are
 * weights times the density, which alone is kept; nodes at the border have that of the start. */
void lbm_d3q27(const double in[N][N][N], double out[N][N][N])
{
    double f[T][N][N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                f[0][i][j][k] = in[i][j][k];
    for (int t = 1; t < T; t++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int k = 0; k < N; k++)
                    if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1 && k >= 1 && k < N - 1)
                        f[t][i][j][k] = 8.0 / 27 * f[t - 1][i][j][k]
                        + 2.0 / 27 * (f[t - 1][i + 1][j][k] + f[t - 1][i][j + 1][k] + f[t - 1][i][j][k + 1] + f[t - 1][i][j][k - 1] + f[t - 1][i][j - 1][k] + f[t - 1][i - 1][j][k])
                        + 1.0 / 54 * (f[t - 1][i + 1][j + 1][k] + f[t - 1][i + 1][j][k + 1] + f[t - 1][i + 1][j][k - 1] + f[t - 1][i + 1][j - 1][k] + f[t - 1][i][j + 1][k + 1] + f[t - 1][i][j + 1][k - 1] + f[t - 1][i][j - 1][k + 1] + f[t - 1][i][j - 1][k - 1] + f[t - 1][i - 1][j + 1][k] + f[t - 1][i - 1][j][k + 1] + f[t - 1][i - 1][j][k - 1] + f[t - 1][i - 1][j - 1][k])
                        + 1.0 / 216 * (f[t - 1][i + 1][j + 1][k + 1] + f[t - 1][i + 1][j + 1][k - 1] + f[t - 1][i + 1][j - 1][k + 1] + f[t - 1][i + 1][j - 1][k - 1] + f[t - 1][i - 1][j + 1][k + 1] + f[t - 1][i - 1][j + 1][k - 1] + f[t - 1][i - 1][j - 1][k + 1] + f[t - 1][i - 1][j - 1][k - 1]);
                    else
                        f[t][i][j][k] = in[i][j][k];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                out[i][j][k] = f[T - 1][i][j][k];
#pragma endscop
}
