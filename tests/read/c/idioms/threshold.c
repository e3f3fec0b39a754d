// cells: t=17
#define N 16
void thr(const unsigned char in[N][N], unsigned char out[N][N])
{
    unsigned char t[N][N];
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            if (in[y][x] > 100)
                t[y][x] = 255;
            else
                t[y][x] = in[y][x] / 2;
            if (y >= 1)
                out[y][x] = t[y][x] ^ t[y - 1][x];
        }
}
