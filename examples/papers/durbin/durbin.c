#define N 100

/* Figure 2(a) of Bee+Cl@k, rebuilt from its clauses: the figure is missing in the text. */
void durbin(const double r[N], double out[N])
{
    double y[N][N], sum[N + 1][N], alpha[N], beta[N];
#pragma scop
S1: y[0][0] = r[0];
    beta[0] = 1.0;
    alpha[0] = r[0];
    for (int k = 1; k < N; k++) {
        beta[k] = beta[k - 1] - alpha[k - 1] * alpha[k - 1] * beta[k - 1];
        sum[0][k] = r[k];
        for (int i = 0; i < k; i++) {
        S2: sum[i + 1][k] = sum[i][k] + r[k - i - 1] * y[i][k - 1];
        }
        alpha[k] = -sum[k][k] * beta[k];
        for (int i = 0; i < k; i++) {
        S3: y[i][k] = y[i][k - 1] + alpha[k] * y[k - i - 1][k - 1];
        }
    S4: y[k][k] = alpha[k];
    }
    for (int i = 0; i < N; i++) {
    S5: out[i] = y[i][N - 1];
    }
#pragma endscop
}
