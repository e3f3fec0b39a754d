// params: n
void f(int in[16], int out[16])
{
    int a[16], b[16];
    int *p = a, *q = b;
    for (int i = 0; i < 16; i++)
        p[i] = in[i];
    for (int k = 0; k < 4; k++) {
        for (int i = 1; i < 16; i++)
            q[i] = p[i - 1] + p[i];
        int *s = p;
        p = q;
        q = s;
    }
    for (int i = 0; i < 16; i++)
        out[i] = p[i];
}
