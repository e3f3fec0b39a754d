// params: n, w
void f(int n, int w, const float *restrict in, float *restrict out)
{
    float t[n * w];
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < w; j++)
            t[i * w + j] = in[i * w + j];
    for (int j = 0; j < w; j++)
        for (int i = 0; i < n; i++)
            out[i * w + j] = t[j * n + i];
#pragma endscop
}
