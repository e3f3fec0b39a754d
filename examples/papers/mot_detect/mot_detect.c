#define m 4
#define n 4
#ifndef M
#define M 32
#define N 32
#endif

/* As printed, but: A is as large as its subscripts (printed: 25 x 25), Delta too, the second
   index of A is l (printed: 1), and the left subscript of ODelta is one higher, so that it
   begins behind ODelta[0] and ends at the element that opt takes. */
void mot_detect(const int A[M + m + 1][N + n + 1], int opt[1])
{
    int ODelta[(M - m + 1) * (N - n + 1) + 1];
    int Delta[M + 1][N + 1][(2 * m + 1) * (2 * n + 1) + 1];
#pragma scop
    ODelta[0] = 0;
    for (int i = m; i <= M; i++)
        for (int j = n; j <= N; j++) {
            Delta[i][j][0] = 0;
            for (int k = i - m; k <= i + m; k++)
                for (int l = j - n; l <= j + n; l++)
                    Delta[i][j][(2 * n + 1) * (k - i) + l - j + 2 * m * n + m + n + 1] =
                        A[i][j] - A[k][l] +
                        Delta[i][j][(2 * n + 1) * (k - i) + l - j + 2 * m * n + m + n];
            ODelta[(N - n + 1) * (i - m) + j - n + 1] =
                Delta[i][j][(2 * m + 1) * (2 * n + 1)] +
                ODelta[(N - n + 1) * (i - m) + j - n];
        }
    opt[0] = ODelta[(M - m + 1) * (N - n + 1)];
#pragma endscop
}
