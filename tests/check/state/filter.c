#define N 6
void filter(const short in[N], short out[N])
{
    static short z[5] = {1, -2, [4] = 7};
    static float gain = 2.5f;
    static float last[2];
    for (int n = 0; n < N; n++) {
        out[n] = in[n] + z[4] * gain - last[n & 1];
        for (int k = 4; k > 0; k--)
            z[k] = z[k - 1];
        z[0] = in[n];
        gain = gain / 2;
        last[n & 1] = out[n];
    }
}
