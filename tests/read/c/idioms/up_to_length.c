// cells: t=24, s=1, n=1, T0=12, T1=1
#define N 12
void f(const unsigned char length[N], const int in[2 * N], int out[N])
{
    int t[2 * N];
    for (int i = 0; i < 2 * N; i++)
        t[i] = in[i];
    for (int i = 0; i < N; i++) {
        int s = 0, n = length[i] % 12;
#pragma hlsmem trips(11)
        for (int j = 0; j < n; j++)
            s += t[i + j];
        out[i] = s;
    }
}
