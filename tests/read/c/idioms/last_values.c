// cells: t=16
#define N 16
void f(const int in[N], int out[N + 1])
{
    int t[N];
    int i, k = 0;
    for (i = 1; i <= N; i++) {
        t[i - 1] = in[i - 1];
        k += 2;
    }
    out[i - 1] = t[0];
    for (i = N - 1; i >= 0; i -= 3) {
        out[i] = t[i] + t[k - 20];
        k--;
    }
    out[i + 4] = t[k - 12];
}
