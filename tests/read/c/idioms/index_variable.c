// cells: t=17
#define N 16
void f(const int in[N * N], int out[N * N])
{
    int t[N * N];
    int i, j, idx;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++) {
            idx = i * N + j;
            t[idx] = in[idx];
            if (i > 0)
                out[idx] = t[idx] + t[idx - N];
        }
}
