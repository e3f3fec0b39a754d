// plan: --param w=16 --param h=12 --set arrays.t.storage=memory --set 'live_out=["[h, w] -> { out[i, j] : 2 <= i < h and 0 <= j < w }"]'
// cells: t=33
void f(int h, int w, const int *restrict in, int *restrict t, int *restrict out)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++) {
            t[i * w + j] = in[i * w + j];
            if (i >= 2)
              out[i * w + j] = t[i * w + j] + t[(i - 2) * w + j];
        }
}
