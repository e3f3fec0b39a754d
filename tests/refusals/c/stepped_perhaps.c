#define N 16
void f(const int *restrict in, int *restrict out)
{
    int t[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = *in++;
            if (x != y) *out++ = t[y][x] + t[y][x];
        }
}
