// plan: --param N=11
#define N 11
void decreasing_loops(const int in[N], int out[N])
{
    int t[N], u[N];
#pragma scop
    for (int i = N - 1; i >= 0; i--)
        t[i] = in[i] + 1;
    for (int i = N - 1; i > 0; --i)
        u[i] = t[i] - t[i - 1];
    u[0] = t[0];
    for (int i = N - 1; i >= 0; i -= 2)
        out[i] = u[i];
    for (int i = N - 2; 0 <= i; i = i - 2)
        for (int j = i; j >= i - 1 && j >= 0; j--)
            out[i] = u[i] + j;
#pragma endscop
}
