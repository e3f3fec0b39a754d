#define M 38
#define N 42

void atax(const double A[M][N], const double x[N], double y[N])
{
    double tmp[M];
#pragma scop
    for (int i = 0; i < N; i++)
I:      y[i] = 0;
    for (int i = 0; i < M; i++) {
Z:      tmp[i] = 0;
        for (int j = 0; j < N; j++)
T:          tmp[i] = tmp[i] + A[i][j] * x[j];
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++)
R:          y[j] = y[j] + A[i][j] * tmp[i];
#pragma endscop
}
