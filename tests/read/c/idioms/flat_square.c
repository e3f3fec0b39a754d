// plan: --param w=12 --param n=10
// cells: t=11
void cond(int n, int w, const float *restrict in, float *restrict out)
{
    float t[n * w];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            t[i * w + j] = in[i * n + j];
            if (i > 0)
                out[i * w + j] = t[i * w + j] + t[i * w + j - w];
        }
}
