// cells: t=17
#define N 16
static int pick(const int a[][N], int y, int x)
{
    return a[y][x];
}

static int add(const int a[][N], int y, int x)
{
    return pick(a, y, x) + pick(a, y - 1, x);
}

void f(const int in[N][N], int out[N][N])
{
    int t[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = in[y][x];
            if (y > 0)
                out[y][x] = add(t, y, x);
        }
}
