#define N 512

/* A matrix product, with the sum innermost. */
void matmul(const double a[N][N], const double b[N][N], double c[N][N])
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
#pragma endscop
}
