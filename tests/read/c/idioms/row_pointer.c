// cells: t=17
#define N 16
void f(const int in[N][N], int out[N][N])
{
    int t[N][N];
    for (int y = 0; y < N; y++) {
        int *row = t[y];
        for (int x = 0; x < N; x++) {
            row[x] = in[y][x];
            if (y > 0)
                out[y][x] = row[x] + t[y - 1][x];
        }
    }
}
