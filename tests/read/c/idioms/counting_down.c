// cells: t=2
#define N 16
void f(const int in[N], int out[N])
{
    int t[N];
    for (unsigned i = N; i-- > 0;) {
        t[i] = in[i];
        if (i < N - 1)
            out[i] = t[i] - t[i + 1];
    }
}
