#define N 32

/* Running sums of a triangle: row i has i + 1 elements and uses the row before. */
void triangle(const int in[N][N], int out[N])
{
    int sum[N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            if (j < i)
Inner:          sum[i][j] = sum[i - 1][j] + in[i][j];
            else
Edge:           sum[i][j] = in[i][j];
        }
    for (int j = 0; j < N; j++)
Last:   out[j] = sum[N - 1][j];
#pragma endscop
}
