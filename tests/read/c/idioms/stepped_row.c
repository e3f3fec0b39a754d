// cells: t=17
#define W 16
#define H 8
void f(const unsigned char *restrict src, unsigned char *restrict dst)
{
    unsigned char t[H][W];
    const unsigned char *s = src;
    unsigned char *d = dst;
    for (int y = 0; y < H; y++) {
        for (int x = 0; x < W; x++) {
            t[y][x] = s[x] >> 1;
            if (y)
                d[x] = t[y][x] + t[y - 1][x];
        }
        s += W;
        d += W;
    }
}
