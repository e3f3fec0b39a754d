#define H 480
#define W 640

void three(const short in[H][W], short out[H][W])
{
    short a[H][W], b[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            if (x == 0 || x == W - 1)
A0:             a[y][x] = in[y][x];
            else
A1:             a[y][x] = (in[y][x - 1] + 2 * in[y][x] + in[y][x + 1]) / 4;
        }
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            if (y == 0 || y == H - 1)
B0:             b[y][x] = a[y][x];
            else
B1:             b[y][x] = (a[y - 1][x] + 2 * a[y][x] + a[y + 1][x]) / 4;
        }
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
C:          out[y][x] = b[y - 1][x - 1] + b[y][x] + b[y + 1][x + 1];
#pragma endscop
}
