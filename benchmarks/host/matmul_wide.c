#define M 96
#define K 96
#define N 32768

/* A matrix product of a few long rows: a vector loop inside, which is the one to cut. */
void matmul_wide(const float a[M][K], const float b[K][N], float c[M][N])
{
#pragma scop
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++)
            for (int j = 0; j < N; j++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
