// plan: --param N=13
#define N 13
void strides(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i += 3)
        t[i] = in[i];
    for (int i = 1; i < N; i = i + 3)
        t[i] = in[i] + t[i - 1];
    for (int i = 2; i <= N - 1; i = 3 + i)
        t[i] = in[i] + t[i - 1] + t[i - 2];
    for (int i = 0; i < N; i += 1)
        out[i] = t[i];
#pragma endscop
}
