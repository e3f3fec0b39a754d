#define M 96
#define K 96
#define N 32768
#define Q 3684

/* matmul_wide with its vector loop in blocks of Q, and its first loop in blocks of 8. */
void matmul_first(const float a[M][K], const float b[K][N], float c[M][N])
{
#pragma scop
    for (int ii = 0; ii < M; ii += 8)
        for (int jj = 0; jj < N; jj += Q)
            for (int k = 0; k < K; k++)
                for (int i = ii; i < ii + 8 && i < M; i++)
                    for (int j = jj; j < jj + Q && j < N; j++)
                        c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
