// cells: t=5
#define N 16
void f(const int in[N], int out[N])
{
    int t[N];
    int i = 0;
    while (i < N) {
        t[i] = in[i];
        if (i >= 4)
            out[i] = t[i] + t[i - 4];
        i++;
    }
}
