// plan: --param W=5
// cells: t=17, s=1, n=1, T0=6, T1=1
void f(int W, const unsigned char length[12], const int in[12 + W], int out[12])
{
    int t[12 + W];
    for (int i = 0; i < 12 + W; i++)
        t[i] = in[i];
    for (int i = 0; i < 12; i++) {
        int s = 0, n = length[i] % (W + 1);
#pragma hlsmem trips(W)
        for (int j = 0; j < n; j++)
            s += t[i + j];
        out[i] = s;
    }
}
