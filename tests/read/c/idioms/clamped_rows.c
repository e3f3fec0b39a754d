// cells: t=256
#define N 16
static int clamp(int v, int low, int high)
{
    if (v < low)
        return low;
    if (v > high)
        return high;
    return v;
}

void f(const int in[N][N], int out[N][N])
{
    int t[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            t[y][x] = in[y][x] * 2;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            out[y][x] = t[clamp(y - 1, 0, N - 1)][x] + t[clamp(y + 1, 0, N - 1)][x];
}
