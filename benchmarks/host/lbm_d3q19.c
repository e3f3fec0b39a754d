#define N 100
#define T 10

/* Lattice Boltzmann, 19 velocities in space, of diffusion at relaxation time one: populations are
 * weights times the density, which alone is kept. What lies around the lattice is not known, so that
 * a step knows one node fewer on every side. */
void lbm_d3q19(const double in[N][N][N], double out[N][N][N])
{
    double f[T][N][N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                f[0][i][j][k] = in[i][j][k];
    for (int t = 1; t < T; t++)
        for (int i = t; i < N - t; i++)
            for (int j = t; j < N - t; j++)
                for (int k = t; k < N - t; k++)
                    f[t][i][j][k] = 1.0 / 3 * f[t - 1][i][j][k]
                        + 1.0 / 18 * (f[t - 1][i + 1][j][k] + f[t - 1][i][j + 1][k] + f[t - 1][i][j][k + 1] + f[t - 1][i][j][k - 1] + f[t - 1][i][j - 1][k] + f[t - 1][i - 1][j][k])
                        + 1.0 / 36 * (f[t - 1][i + 1][j + 1][k] + f[t - 1][i + 1][j][k + 1] + f[t - 1][i + 1][j][k - 1] + f[t - 1][i + 1][j - 1][k] + f[t - 1][i][j + 1][k + 1] + f[t - 1][i][j + 1][k - 1] + f[t - 1][i][j - 1][k + 1] + f[t - 1][i][j - 1][k - 1] + f[t - 1][i - 1][j + 1][k] + f[t - 1][i - 1][j][k + 1] + f[t - 1][i - 1][j][k - 1] + f[t - 1][i - 1][j - 1][k]);
    for (int i = T - 1; i < N - T + 1; i++)
        for (int j = T - 1; j < N - T + 1; j++)
            for (int k = T - 1; k < N - T + 1; k++)
                out[i][j][k] = f[T - 1][i][j][k];
#pragma endscop
}
