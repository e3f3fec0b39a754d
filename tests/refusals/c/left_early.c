#define N 16
void f(const int in[N], int out[N])
{
    int t[N];
    int i;
    for (i = 0; i < N; i++) {
        t[i] = in[i] * 2;
        if (in[i] < 0) break;
        out[i] = t[i];
    }
    for (; i < N; i++)
        out[i] = 0;
}
