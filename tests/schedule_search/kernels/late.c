#define H 480
#define W 640

void late(const unsigned char in[H][W], int out[H][W])
{
    unsigned char g[H][W];
    int a[H][W], v[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
G:          g[y][x] = in[y][x];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
A:          a[y][x] = g[y][x] * g[y][x];
    for (int y = 2; y < H - 2; y++)
        for (int x = 0; x < W; x++)
V:          v[y][x] = g[y - 2][x] + g[y - 1][x] + g[y][x] + g[y + 1][x] + g[y + 2][x];
    for (int y = 2; y < H - 2; y++)
        for (int x = 0; x < W; x++)
O:          out[y][x] = a[y][x] - v[y][x];
#pragma endscop
}
