// cells: t=1, T0=8
void f(const int in[16], int out[16])
{
    int i, j;
    for (i = 0; i < 16; i++)
        out[i] = 0;
    for (j = 0; j < 2; j++)
        for (i = 8 * j; i < 8 * j + 8; i++) {
            int t = in[i];
            if (t == 0)
                break;
            out[i] = t;
        }
}
