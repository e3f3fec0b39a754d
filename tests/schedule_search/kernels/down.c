#define H 480
#define W 640

void down(const short in[H][W], short out[H / 2][W / 2])
{
    short a[H][W], b[H / 2][W / 2];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W - 1; x++)
A:          a[y][x] = (in[y][x - 1] + 2 * in[y][x] + in[y][x + 1]) / 4;
    for (int y = 1; y < H / 2 - 1; y++)
        for (int x = 1; x < W / 2 - 1; x++)
B:          b[y][x] = (a[2 * y - 1][2 * x] + 2 * a[2 * y][2 * x] + a[2 * y + 1][2 * x]) / 4;
    for (int y = 2; y < H / 2 - 2; y++)
        for (int x = 1; x < W / 2 - 1; x++)
C:          out[y][x] = b[y - 1][x] + b[y][x] + b[y + 1][x];
#pragma endscop
}
