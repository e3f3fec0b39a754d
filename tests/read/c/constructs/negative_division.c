// plan: --param N=10
#define N 10
void negative_division(const int in[N], int out[2 * N])
{
    int t[2 * N];
#pragma scop
    for (int i = 0; i < 2 * N; i++)
        t[i] = i;
    for (int i = -N; i < N; i++) {
        t[i / 3 + N] = in[(i + N) / 2];
        for (int j = (i - 1) / 4; j <= (i + 1) / 4; j++)
            t[i + N] += j;
    }
    for (int i = 0; i < 2 * N; i++)
        out[i] = t[i];
#pragma endscop
}
