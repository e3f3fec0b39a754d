// plan: --param n=5
void vla_of_expressions(const int n, const short in[restrict static 2 * n + 1], short out[n + 1][2 * n - 1])
{
    const int m = n + 1;
    short t[2 * n + 1];
#pragma scop
    for (int i = 0; i < 2 * n + 1; i++)
        t[i] = in[i] + 1;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 2 * n - 1; j++)
            out[i][j] = t[j] - t[i];
#pragma endscop
}
