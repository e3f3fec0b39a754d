#define N 32

void mm3(const float A[N][N], const float B[N][N], const float C[N][N], const float D[N][N],
         float G[N][N])
{
    float E[N][N], F[N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
E0:         E[i][j] = 0;
            for (int k = 0; k < N; k++)
E1:             E[i][j] += A[i][k] * B[k][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
F0:         F[i][j] = 0;
            for (int k = 0; k < N; k++)
F1:             F[i][j] += C[i][k] * D[k][j];
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
G0:         G[i][j] = 0;
            for (int k = 0; k < N; k++)
G1:             G[i][j] += E[i][k] * F[k][j];
        }
#pragma endscop
}
