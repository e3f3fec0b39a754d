// plan: --param n=8 --param w=4 --set kernel.trips='{L: "w - 9", M: "n*w", K: 3}'
#pragma hlsmem values m(0, n * n)
#pragma hlsmem values m(0, many)
#pragma hlsmem values m
void f(int n, int w, const int a[8], const int m[8], int out[64])
{
    for (int k = 0; k < n; k++) {
        int v = a[k];
L:      while (v > 1)
            v = v / 2;
M:      while (v > 1)
            v = v / 2;
        out[k] = v;
    }
}
