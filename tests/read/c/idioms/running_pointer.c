// cells: t=17
#define N 16
void f(const int *restrict in, int *restrict out)
{
    int t[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = *in++;
            *out++ = y > 0 ? t[y - 1][x] + t[y][x] : 0;
        }
}
