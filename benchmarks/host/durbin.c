#define N 4000

/* Levinson-Durbin recursion: a row of y for every step. */
void durbin(const double r[N], double out[N])
{
    double y[N][N], sum[N + 1][N], alpha[N], beta[N];
#pragma scop
    y[0][0] = r[0];
    beta[0] = 1.0;
    alpha[0] = r[0];
    for (int k = 1; k < N; k++) {
        beta[k] = beta[k - 1] - alpha[k - 1] * alpha[k - 1] * beta[k - 1];
        sum[0][k] = r[k];
        for (int i = 0; i < k; i++)
            sum[i + 1][k] = sum[i][k] + r[k - i - 1] * y[k - 1][i];
        alpha[k] = -sum[k][k] * beta[k];
        for (int i = 0; i < k; i++)
            y[k][i] = y[k - 1][i] + alpha[k] * y[k - 1][k - i - 1];
        y[k][k] = alpha[k];
    }
    for (int i = 0; i < N; i++)
        out[i] = y[N - 1][i];
#pragma endscop
}
