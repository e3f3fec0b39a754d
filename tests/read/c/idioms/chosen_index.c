// cells: t=48
#define N 16
void f(const int in[N][N], int out[N][N])
{
    int t[N][N];
    for (int y = 0; y < N; y++) {
        int *row = t[y];
        int above = y;
        if (y > 1)
            above = y - 2;
        for (int x = 0; x < N; x++)
            row[x] = in[y][x];
        const int *end = row + N;
        for (int x = 0; x < N; x++)
            out[y][x] = t[above][x] + *(end - x - 1);
    }
}
