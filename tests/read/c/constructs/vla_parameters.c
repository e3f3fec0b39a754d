// plan: --param N=6 --param M=5
void vla_parameters(int N, int M, float A[N][M], float B[N][M])
{
    float t[N][M];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            t[i][j] = A[i][j] * 0.5f;
    for (int i = 1; i < N; i++)
        for (int j = 1; j < M; j++)
            B[i][j] = t[i][j] + t[i - 1][j - 1];
#pragma endscop
}
