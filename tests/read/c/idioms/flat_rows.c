// plan: --param h=12 --param w=16
// cells: t=33
void f(int h, int w, const int *restrict in, int *restrict out)
{
    int t[h * w];
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            int idx = i * w + j;
            t[idx] = in[idx];
            if (i >= 2)
              out[idx] = t[idx] + t[idx - 2 * w];
        }
}
