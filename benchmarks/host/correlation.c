#define N 512

/* Correlations of columns: means, deviations, then a product of every two columns. */
void correlation(float data[N][N], float symmat[N][N])
{
    float mean[N], stddev[N];
#pragma scop
    for (int j = 0; j < N; j++) {
        mean[j] = 0.0f;
        for (int i = 0; i < N; i++)
            mean[j] += data[i][j];
        mean[j] = mean[j] / N;
    }
    for (int j = 0; j < N; j++) {
        stddev[j] = 0.1f;
        for (int i = 0; i < N; i++)
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] = stddev[j] / N;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            data[i][j] = (data[i][j] - mean[j]) / stddev[j];
    for (int a = 0; a < N - 1; a++) {
        symmat[a][a] = 1.0f;
        for (int b = a + 1; b < N; b++) {
            symmat[a][b] = 0.0f;
            for (int i = 0; i < N; i++)
                symmat[a][b] += data[i][a] * data[i][b];
            symmat[b][a] = symmat[a][b];
        }
    }
#pragma endscop
}
