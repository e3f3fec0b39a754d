#define N 64

void mm2(const float A[N][N], const float B[N][N], const float C[N][N], float D[N][N])
{
    float t[N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
Z:          t[i][j] = 0;
            for (int k = 0; k < N; k++)
M:              t[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
Y:          D[i][j] = 0;
            for (int k = 0; k < N; k++)
P:              D[i][j] += t[i][k] * C[k][j];
        }
#pragma endscop
}
