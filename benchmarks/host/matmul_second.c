#define M 96
#define K 96
#define N 32768
#define Q 3684

/* matmul_wide with its vector loop in blocks of Q, and its second loop in blocks of 8. */
void matmul_second(const float a[M][K], const float b[K][N], float c[M][N])
{
#pragma scop
    for (int i = 0; i < M; i++)
        for (int kk = 0; kk < K; kk += 8)
            for (int jj = 0; jj < N; jj += Q)
                for (int k = kk; k < kk + 8 && k < K; k++)
                    for (int j = jj; j < jj + Q && j < N; j++)
                        c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
