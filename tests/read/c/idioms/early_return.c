// plan: --param n=12
// cells: t=2
void f(int n, const int in[n], int out[n])
{
    int t[n];
    if (n < 3)
        return;
    t[0] = in[0];
    for (int x = 1; x < n; x++) {
        t[x] = in[x] + 1;
        out[x] = t[x] + t[x - 1];
    }
}
