#define N 20
#define K 8
void fir(const int in[N], const int c[K], int out[N - K + 1]) {
    int acc[N][K];
    for (int i = 0; i < N - K + 1; i++) {
        acc[i][0] = c[0] * in[i];
        for (int k = 1; k < K; k++)
            acc[i][k] = acc[i][k - 1] + c[k] * in[i + k];
        out[i] = acc[i][K - 1];
    }
}
