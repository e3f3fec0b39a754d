#define M 189
#define N 139233
#define K 189

/* Figure 20, matmul2 and matmul3: sums of two products and of three. */
void sums(const float A[M][K], const float B[K][N], const float D[M][K], const float E[K][N],
    const float F[M][K], const float G[K][N], float C2[M][N], float C3[M][N])
{
#pragma scop
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                C2[i][j] = C2[i][j] + A[i][k] * B[k][j] + D[i][k] * E[k][j];
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < K; k++)
                C3[i][j] = C3[i][j] + A[i][k] * B[k][j] + D[i][k] * E[k][j] + F[i][k] * G[k][j];
#pragma endscop
}
