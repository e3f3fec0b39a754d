// plan: --param h=8 --param w=9 --param v=10 --set host.specialise=none
void f(int h, int w, int v, const int *restrict in, int *restrict out)
{
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            if (i >= 2)
                out[i * w + j] = in[i * v + j];
            else out[i * v + j] = 1;
}
