#define N 16
void nests(const int in[N][N], int out[N][N])
{
    int t[N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            t[i][j] = in[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            out[i][j] = t[j][i];
#pragma endscop
}
