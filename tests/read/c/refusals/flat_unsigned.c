// params: n, w
void f(unsigned n, unsigned w, const float *restrict in, float *restrict out)
{
#pragma scop
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < w; j++)
            out[i * w + j] = in[i * 4 + j];
#pragma endscop
}
