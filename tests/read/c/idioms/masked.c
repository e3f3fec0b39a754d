// cells: t=4
#define N 16
void f(const int in[64], int out[64])
{
    int t[N];
    for (int i = 0; i < 64; i++) {
        t[i & (N - 1)] = in[i];
        if (i >= 3)
            out[i] = t[i & (N - 1)] + t[(i - 3) & (N - 1)];
    }
}
