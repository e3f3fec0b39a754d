#define N 6
#define P 64

/* As printed, but: tangent has N * N entries, as its subscripts i + N * j need (printed: 5),
   written with two indices; the last index of diff is read as j, i (printed: i, i). */
void reg_detect(const int tangent[N][N], int path[N][N])
{
    int sum_t[N][N], mean[N][N];
    int diff[N][N][P], sum_d[N][N][P];
#pragma scop
    for (int j = 0; j <= N - 1; j++) {
        sum_t[j][j] = tangent[j][j];
        for (int i = j + 1; i <= N - 1; i++)
            sum_t[j][i] = sum_t[j][i - 1] + tangent[j][i];
    }
    for (int j = 0; j <= N - 1; j++)
        for (int i = j; i <= N - 1; i++)
            for (int k = 0; k <= P - 1; k++)
                diff[j][i][k] = sum_t[j][i];
    for (int j = 0; j <= N - 1; j++)
        for (int i = j; i <= N - 1; i++) {
            sum_d[j][i][0] = diff[j][i][0];
            for (int k = 1; k <= P - 1; k++)
                sum_d[j][i][k] = sum_d[j][i][k - 1] + diff[j][i][k];
            mean[j][i] = sum_d[j][i][P - 1];
        }
    for (int j = 0; j <= N - 1; j++)
        for (int i = j; i <= N - 1; i++)
            if (j > 0)
                path[j][i] = path[j - 1][i - 1] + mean[j][i];
            else
                path[j][i] = mean[j][i];
#pragma endscop
}
