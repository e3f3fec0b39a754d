#define N 1024
#define T 6

/* Lattice Boltzmann, 9 velocities in the plane, of diffusion: every population moves by its velocity
 * and comes near to its share of the density. What lies around the lattice is not known, so that a
 * step knows one node fewer on every side. */
void lbm_apart(const double in[N][N], double out[N][N])
{
    double c[T][N][N], n[T][N][N], s[T][N][N], w[T][N][N], e[T][N][N], nw[T][N][N], ne[T][N][N], sw[T][N][N], se[T][N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[0][i][j] = 4.0 / 9 * in[i][j];
            n[0][i][j] = 1.0 / 9 * in[i][j];
            s[0][i][j] = 1.0 / 9 * in[i][j];
            w[0][i][j] = 1.0 / 9 * in[i][j];
            e[0][i][j] = 1.0 / 9 * in[i][j];
            nw[0][i][j] = 1.0 / 36 * in[i][j];
            ne[0][i][j] = 1.0 / 36 * in[i][j];
            sw[0][i][j] = 1.0 / 36 * in[i][j];
            se[0][i][j] = 1.0 / 36 * in[i][j];
        }
    for (int t = 1; t < T; t++)
        for (int i = t; i < N - t; i++)
            for (int j = t; j < N - t; j++) {
                const double density = c[t - 1][i][j] + n[t - 1][i + 1][j] + s[t - 1][i - 1][j] + w[t - 1][i][j + 1] + e[t - 1][i][j - 1] + nw[t - 1][i + 1][j + 1] + ne[t - 1][i + 1][j - 1] + sw[t - 1][i - 1][j + 1] + se[t - 1][i - 1][j - 1];
                c[t][i][j] = 0.25 * c[t - 1][i][j] + 0.75 * (4.0 / 9) * density;
                n[t][i][j] = 0.25 * n[t - 1][i + 1][j] + 0.75 * (1.0 / 9) * density;
                s[t][i][j] = 0.25 * s[t - 1][i - 1][j] + 0.75 * (1.0 / 9) * density;
                w[t][i][j] = 0.25 * w[t - 1][i][j + 1] + 0.75 * (1.0 / 9) * density;
                e[t][i][j] = 0.25 * e[t - 1][i][j - 1] + 0.75 * (1.0 / 9) * density;
                nw[t][i][j] = 0.25 * nw[t - 1][i + 1][j + 1] + 0.75 * (1.0 / 36) * density;
                ne[t][i][j] = 0.25 * ne[t - 1][i + 1][j - 1] + 0.75 * (1.0 / 36) * density;
                sw[t][i][j] = 0.25 * sw[t - 1][i - 1][j + 1] + 0.75 * (1.0 / 36) * density;
                se[t][i][j] = 0.25 * se[t - 1][i - 1][j - 1] + 0.75 * (1.0 / 36) * density;
            }
    for (int i = T - 1; i < N - T + 1; i++)
        for (int j = T - 1; j < N - T + 1; j++)
            out[i][j] = c[T - 1][i][j] + n[T - 1][i][j] + s[T - 1][i][j] + w[T - 1][i][j] + e[T - 1][i][j] + nw[T - 1][i][j] + ne[T - 1][i][j] + sw[T - 1][i][j] + se[T - 1][i][j];
#pragma endscop
}
