#define H 24
#define W 32
void dilate(const unsigned char in[H][W], unsigned char out[H - 2][W - 4]) {
    for (int y = 1; y < H - 1; ++y)
        for (int x = 2; x < W - 2; ++x) {
            unsigned char m = 0;
            int dy = -1;
            while (dy <= 1) {
                for (int dx = -2; dx <= 2; dx++)
                    if (in[y + dy][x + dx] > m) m = in[y + dy][x + dx];
                dy++;
            }
            out[y - 1][x - 2] = m;
        }
}
