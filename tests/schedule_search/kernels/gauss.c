#define H 480
#define W 640

void gauss(const unsigned char in[H][W], unsigned char out[H][W])
{
    unsigned char tmp[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W - 1; x++)
            tmp[y][x] = (in[y][x - 1] + 2 * in[y][x] + in[y][x + 1]) / 4;
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
            out[y][x] = (tmp[y - 1][x] + 2 * tmp[y][x] + tmp[y + 1][x]) / 4;
#pragma endscop
}
