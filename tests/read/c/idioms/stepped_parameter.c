// plan: --param n=64
// cells: t=64, v=1, s=1, T0=64
// The number of turns is a parameter that counts them itself.
static void copy(const int *p, int *q, int n)
{
    while (n--)
        *q++ = *p++;
}

void stepped_parameter(const int *restrict in, int *restrict out, int *restrict sum, int n)
{
    int t[64], s = 0;
    int m = n, most = n;
    copy(in, t, n);
    for (; m; --m)
        *out++ = t[m - 1];
    while (n-- > 0) {
        int v = t[n];
        if (v == 0)
            break;
        s += v;
    }
    *sum = s + most;
}
