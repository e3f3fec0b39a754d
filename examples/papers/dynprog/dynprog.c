#define N 10

/* As printed. c is live in: what is read of it before it is written comes from the caller. */
void dynprog(const int W[N][N], int c[N][N], int out[1])
{
    int sum_c[N][N][N];
#pragma scop
    for (int i = 0; i <= N - 2; i++)
        for (int j = i + 1; j <= N - 1; j++) {
            sum_c[i][j][i] = 0;
            for (int k = i + 1; k <= j - 1; k++)
                sum_c[i][j][k] = sum_c[i][j][k - 1] + c[i][k] + c[k][j];
            c[i][j] = sum_c[i][j][j - 1] + W[i][j];
        }
    out[0] = c[0][N - 1];
#pragma endscop
}
