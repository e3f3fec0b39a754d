// Two rows and a pixel are alive: a template whose size is deduced from its argument.
#define N 64
template <typename T, int W>
void rows(const T (&in)[W][W], T (&out)[W][W])
{
    T buf[W][W];
    for (int y = 0; y < W; y++)
        for (int x = 0; x < W; x++) {
            buf[y][x] = in[y][x];
            if (y >= 2)
                out[y][x] = buf[y - 2][x] + buf[y][x];
        }
}
void top(const int (&in)[N][N], int (&out)[N][N])
{
    rows(in, out);
}
