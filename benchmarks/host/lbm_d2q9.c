#define N 1024
#define T 6

/* Lattice Boltzmann, 9 velocities in the plane, of diffusion at relaxation time one: populations are
 * weights times the density, which alone is kept; nodes at the border have that of the start. */
void lbm_d2q9(const double in[N][N], double out[N][N])
{
    double f[T][N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            f[0][i][j] = in[i][j];
    for (int t = 1; t < T; t++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (i >= 1 && i < N - 1 && j >= 1 && j < N - 1)
                    f[t][i][j] = 4.0 / 9 * f[t - 1][i][j]
                    + 1.0 / 9 * (f[t - 1][i + 1][j] + f[t - 1][i][j + 1] + f[t - 1][i][j - 1] + f[t - 1][i - 1][j])
                    + 1.0 / 36 * (f[t - 1][i + 1][j + 1] + f[t - 1][i + 1][j - 1] + f[t - 1][i - 1][j + 1] + f[t - 1][i - 1][j - 1]);
                else
                    f[t][i][j] = in[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            out[i][j] = f[T - 1][i][j];
#pragma endscop
}
