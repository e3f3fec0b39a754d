// plan: --param N=7
#define N 7
void triangular_nest(const int in[N][N], int out[N])
{
    int t[N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            t[i][j] = in[i][j] + 1;
    for (int i = 0; i < N; i++) {
        out[i] = 0;
        for (int j = i; j < N; j++)
            out[i] += t[j][i];
    }
#pragma endscop
}
