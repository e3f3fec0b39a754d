#define M 9000
#define N 60

/* Figure 21, the correlation of columns, with indices from 0. */
void correlation(float data[N][M], float symmat[M][M], const float mean[M], const float stddev[M])
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            data[i][j] = (data[i][j] - mean[j]) / (7.7459667f * stddev[j]);
    for (int j1 = 0; j1 < M - 1; j1++) {
        symmat[j1][j1] = 1.0f;
        for (int j2 = j1 + 1; j2 < M; j2++) {
            symmat[j1][j2] = 0.0f;
            for (int i = 0; i < N; i++)
                symmat[j1][j2] += data[i][j1] * data[i][j2];
            symmat[j2][j1] = symmat[j1][j2];
        }
    }
#pragma endscop
}
