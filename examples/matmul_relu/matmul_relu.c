#define N 16
#define M 12
#define P 8

/* relu(A * B) * C, fused by rows: a row of the first product is used up before the next. */
void matmul_relu(const float A[N][M], const float B[M][M], const float C[M][P], float out[N][P])
{
    float product[N][M], active[N][M];
#pragma scop
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            product[i][j] = 0.0f;
            for (int k = 0; k < M; k++)
                product[i][j] += A[i][k] * B[k][j];
        }
        for (int j = 0; j < M; j++)
            active[i][j] = product[i][j] > 0.0f ? product[i][j] : 0.0f;
        for (int j = 0; j < P; j++) {
            out[i][j] = 0.0f;
            for (int k = 0; k < M; k++)
                out[i][j] += active[i][k] * C[k][j];
        }
    }
#pragma endscop
}
