// cells: rows=42
#define H 10
#define W 14
typedef unsigned char u8;
void sobel_y(const u8 in[H][W], short out[H][W])
{
    static u8 rows[3][W];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            rows[y % 3][x] = in[y][x];
            if (y >= 2)
                out[y - 1][x] = rows[y % 3][x] - rows[(y + 1) % 3][x];
        }
}
