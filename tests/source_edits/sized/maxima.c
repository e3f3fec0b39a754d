#define W 80
#define H 60
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MAX3(a, b, c) MAX(MAX(a, b), c)

typedef unsigned short pixel;

void maxima(const pixel in[H][W], pixel out[H][W])
{
    pixel rows[H][W];
    for (int y = 0; y < H; y++)
        for (int x = 2; x < W - 2; x++)
            rows[y][x] = MAX3(in[y][x - 2], in[y][x], in[y][x + 2]);
    for (int y = 2; y < H - 2; y++)
        for (int x = 2; x < W - 2; x++)
            out[y][x] = MAX3(rows[y - 2][x], rows[y][x], rows[y + 2][x]);
}
