#define M 96
#define K 96
#define N 32768
#define Q 3684

/* matmul_wide with its vector loop in blocks of Q, and its third loop in blocks of 8 Q. */
void matmul_third(const float a[M][K], const float b[K][N], float c[M][N])
{
#pragma scop
    for (int i = 0; i < M; i++)
        for (int jjj = 0; jjj < N; jjj += 8 * Q)
            for (int jj = jjj; jj < jjj + 8 * Q && jj < N; jj += Q)
                for (int k = 0; k < K; k++)
                    for (int j = jj; j < jj + Q && j < N; j++)
                        c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
