#define M 50
#define N 50

/* As printed with T = 1, but: Gauss and in_image are read from index 0 (printed: from -1), the
   loop over tot stands once, and the numbers are float: a sum of 0 divides without a trap. */
void gauss(const float in_image[N][M], const float Gauss[3], float gauss_image[N][M])
{
    float tot[4];
    float g_tmp[N][M];
    float g_acc1[N][M][4];
    float g_acc2[N][M][4];
#pragma scop
    tot[0] = 0;
    for (int k = 0; k <= 2; k++)
        tot[k + 1] = tot[k] + Gauss[k];
    for (int x = 1; x < N - 1; x++)
        for (int y = 0; y < M; y++) {
            g_acc1[x][y][0] = 0;
            for (int k = 0; k <= 2; k++)
                g_acc1[x][y][k + 1] = g_acc1[x][y][k] + in_image[x + k - 1][y] * Gauss[k];
            g_tmp[x][y] = g_acc1[x][y][3] / tot[3];
        }
    for (int x = 1; x < N - 1; x++)
        for (int y = 1; y < M - 1; y++) {
            g_acc2[x][y][0] = 0;
            for (int k = 0; k <= 2; k++)
                g_acc2[x][y][k + 1] = g_acc2[x][y][k] + g_tmp[x][y + k - 1] * Gauss[k];
            gauss_image[x][y] = g_acc2[x][y][3] / tot[3];
        }
#pragma endscop
}
