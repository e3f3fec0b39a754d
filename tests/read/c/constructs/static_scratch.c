// plan: --param N=8
#define N 8
/* Written before it is read in every call: static changes nothing. */
void static_scratch(const int in[N][N], int out[N][N])
{
    static int line[N][N];
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            line[i][j] = in[i][j];
            if (i > 0)
                out[i][j] = line[i][j] - line[i - 1][j];
        }
#pragma endscop
}
