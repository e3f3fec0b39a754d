// plan: --param N=6
#define N 6
void pointer_parameters(const int *restrict in, int (*restrict out)[N], float *const gain, int *last)
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i] + in[2 * i];
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++)
            out[i][j] = (int)(t[j] * gain[1]) - t[i - 1];
    *last = t[N - 1];
#pragma endscop
}
