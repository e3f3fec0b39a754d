// cells: t=2
#define N 16
void f(const int in[N], int out[N])
{
    int t[N];
    int i, j;
    for (i = 0, j = N - 1; i < N; i++, j--) {
        t[i] = in[j];
        out[j] = i > 0 ? t[i] + t[i - 1] : t[i];
    }
}
