// plan: --param N=9
#define N 9
void ternary_bounds(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i] - i;
    for (int i = 0; i < N; i++) {
        out[i] = 1;
        for (int j = i > 3 ? i - 3 : 0; j < (i % 2 == 0 ? i : N - 1); ++j)
            out[i] += t[j];
    }
#pragma endscop
}
