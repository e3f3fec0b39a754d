// cells: t=16, s=1, T0=16
#define N 16
void f(const int in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++)
        t[i] = in[i] / 3;
    for (int i = 0; i < N; i++) {
        int s = 0;
        for (int j = i; j < N && t[j] > 0; j++)
            s += t[j];
        out[i] = s;
    }
}
