// plan: --param w=12 --param h=10
// cells: t=120
static void doubled(const float *a, float *b, int n)
{
    for (int k = 0; k < n; k++)
        b[k] = a[k] * 2;
}
void f(int h, int w, const float *restrict in, float *restrict out)
{
    float t[h * w];
    const float *p = in;
    int n = w * h;
    for (int k = 0; k < n; k++)
        t[k] = *p++;
    for (int i = 0; i < h; i++) {
        float *row = t + i * w;
        doubled(row, out + (h - 1 - i) * w, w);
    }
}
