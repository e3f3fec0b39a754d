// cells: t=64, u=61
// What runs while a number is not 0.
void counted_down(const int *restrict in, int *restrict out, int *restrict more)
{
    int t[64], u[64], n;
    for (n = 63; n; n--)
        t[n] = in[n] * 3;
    t[0] = n;
    int *p = t, m = 60;
    while (m--) {
        *out++ = p[0] + p[4];
        p++;
    }
    int k = 64;
    do {
        u[k - 1] = t[k - 1];
    } while (--k);
    for (m = 30; m; m--)
        *more++ = u[m] + u[m * 2];
}
