// cells: z=8, acc=1
#define N 16
void fir(const int in[N], int out[N])
{
    static int z[8];
    for (int i = 0; i < N; i++) {
        int acc = 0;
        for (int k = 7; k > 0; k--)
            z[k] = z[k - 1];
        z[0] = in[i];
        for (int k = 0; k < 8; k++)
            acc += z[k] * (k + 1);
        out[i] = acc;
    }
}
