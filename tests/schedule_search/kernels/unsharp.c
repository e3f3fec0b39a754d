#define H 480
#define W 640

void unsharp(const unsigned char in[H][W], unsigned char out[H][W])
{
    unsigned char g[H][W];
    short bx[H][W], by[H][W], sh[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
G:          g[y][x] = in[y][x];
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W - 1; x++)
X:          bx[y][x] = g[y][x - 1] + 2 * g[y][x] + g[y][x + 1];
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
Y:          by[y][x] = bx[y - 1][x] + 2 * bx[y][x] + bx[y + 1][x];
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
D:          sh[y][x] = 2 * g[y][x] - by[y][x] / 16;
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
O:          out[y][x] = 2 * g[y][x] + sh[y][x];
#pragma endscop
}
