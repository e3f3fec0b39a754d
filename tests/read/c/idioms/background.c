// cells: mean=80, d=1
#define W 10
#define H 8
enum { SHIFT = 2 };
static short mean[H][W] = {{8, 16}, {SHIFT}};
void moving(const unsigned char in[H][W], unsigned char out[H][W])
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int d = in[y][x] * 16 - mean[y][x];
            out[y][x] = d < 0 ? -d >> 4 : d >> 4;
            mean[y][x] = mean[y][x] + (d >> SHIFT);
        }
}
