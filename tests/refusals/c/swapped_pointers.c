#define N 16
#define T 4
void f(const int in[N], int out[N])
{
    int u[N], v[N];
    int *a = u, *b = v, *t;
    for (int i = 0; i < N; i++)
        a[i] = in[i];
    for (int k = 0; k < T; k++) {
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
        t = a; a = b; b = t;
    }
    for (int i = 0; i < N; i++)
        out[i] = a[i];
}
