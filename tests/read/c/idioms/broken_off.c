// cells: t=1, T0=16
#define N 16
void brk(const short in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = in[i] * 2;
        if (in[i] > 900)
            break;
        out[i] = t[i] + 1;
    }
}
