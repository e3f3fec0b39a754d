// plan: --param N=8
#define N 8
void struct_of_arrays(const float in[N], float out[N])
{
    struct {
        float re[N], im[N];
        int scale;
    } z;
#pragma scop
    z.scale = 3;
    for (int i = 0; i < N; i++) {
        z.re[i] = in[i];
        z.im[i] = in[i] * z.scale;
    }
    for (int i = 1; i < N; i++)
        out[i] = z.re[i] * z.im[i - 1] - z.im[i] * z.re[i - 1];
#pragma endscop
}
