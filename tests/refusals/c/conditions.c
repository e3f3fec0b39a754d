// plan: --param n=8
int next(void);
void f(int n, const int a[8], const int m[8], int out[64], int last[1])
{
    int i;
    for (int j = 0; j < n; j++)
        if (next() > 2)
            out[j] = 1;
    for (int k = 0; k < n; k++) {
        int v = a[k];
        while (v > 1)
            v = v / 2;
        out[k] = v;
    }
    for (int y = 0; y < n; y++)
        for (int x = 0; x < m[y]; x++)
            out[8 * y + x] = 2;
    for (i = 0; i < n; i++)
        if (a[i] == 0)
            break;
    last[0] = i;
}
