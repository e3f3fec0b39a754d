// cells: t=33
#define N 16
void f(const int in[N][N], int out[N][N])
{
    int t[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = in[y][x] * 3;
            const int above = y - 1;
            int back = x - 2, up = above - 1;
            if (above >= 0 && back >= 0 && up >= 0)
                out[y][x] = t[above][back] + t[up][x] + t[y][back + 1];
        }
}
