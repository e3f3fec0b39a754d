#define M 189
#define N 139233
#define K 189

/* Figure 18, the matrix product, at the sizes of section 4.1. */
void matmul(const float A[M][K], const float B[K][N], float C[M][N])
{
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                C[i][j] = C[i][j] + 3.0f * A[i][k] * B[k][j];
#pragma endscop
}
