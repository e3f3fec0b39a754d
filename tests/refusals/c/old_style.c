#define N 16
static int twice(v)
int v; /* a number */
{
    return 2 * v;
}

void f(in, out)
    const int in[N];
    int out[N];
{
    for (int i = 0; i < N; i++)
        out[i] = twice(in[i]);
}
