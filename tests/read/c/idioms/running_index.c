// cells: t=17
#define N 16
void f(const int in[N * N], int out[N][N])
{
    int t[N][N];
    int p = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = in[p];
            p++;
            if (y > 0)
                out[y][x] = t[y - 1][x] - t[y][x];
        }
}
