// cells: t=3
#define N 16
void g(const short in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = in[i] * 3;
        out[i] = 0;
        if (i >= 2)
            if (t[i - 2] > t[i])
                out[i] = t[i - 1] - t[i];
    }
}
