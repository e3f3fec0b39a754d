#define N 8
void triangle(const int x[N][N], int y[N][N])
{
    int t[N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
A:          t[i][j] = x[i][j];
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
B:          y[i][j] = t[j][i] + t[i][0];
#pragma endscop
}
