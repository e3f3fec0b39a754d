#define H 24
#define W 32
static void hblur(const unsigned char in[H][W], short t[H][W]) {
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W - 1; x++)
            t[y][x] = in[y][x - 1] + 2 * in[y][x] + in[y][x + 1];
}
void vblur(const short t[H][W], unsigned char out[H][W], int shift) {
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++)
            out[y][x] = (t[y - 1][x] + 2 * t[y][x] + t[y + 1][x]) >> shift;
}
