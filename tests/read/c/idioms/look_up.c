// cells: t=3, lut=8
#define N 16
void g(const short in[N], const int table[8], int out[N])
{
    int t[N], lut[8];
    for (int k = 0; k < 8; k++)
        lut[k] = table[k] * 3;
    for (int i = 0; i < N; i++) {
        t[i] = lut[in[i] & 7];
        if (i >= 2)
            out[i] = t[i] + lut[t[i - 2] < 0 ? 0 : t[i - 2] > 7 ? 7 : t[i - 2]];
    }
}
