// cells: t=224
#define N 16
static void hblur(const int in[N][N], int t[N][N])
{
    for (int y = 0; y < N; y++)
        for (int x = 1; x < N - 1; x++)
            t[y][x] = in[y][x - 1] + in[y][x] + in[y][x + 1];
}

static void vblur(const int t[N][N], int out[N][N])
{
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++)
            out[y][x] = t[y - 1][x] + t[y][x] + t[y + 1][x];
}

void blur(const int in[N][N], int out[N][N])
{
    int t[N][N];
    hblur(in, t);
    vblur(t, out);
}
