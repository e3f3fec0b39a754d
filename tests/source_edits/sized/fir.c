#define N 288
#define K 8

/* The sums of all taps so far, an array of them. */
void fir(const int in[N + K - 1], const int c[K], int out[N])
{
    int sum[N][K];
    for (int i = 0; i < N; i++) {
        sum[i][0] = c[0] * in[i];
        for (int k = 1; k < K; k++) {
#pragma HLS PIPELINE
            sum[i][k] = sum[i][k - 1] + c[k] * in[i + k];
        }
        out[i] = sum[i][K - 1];
    }
}
