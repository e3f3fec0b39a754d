// plan: --param W=16
// cells: t=17
#define W 64
#define H 8
#define IDX(y, x) ((y) * W + (x))
static unsigned char t[H * W];
void blur(const unsigned char *restrict in, unsigned char *restrict out)
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            t[IDX(y, x)] = in[IDX(y, x)];
            if (y > 0 && x > 0)
                out[IDX(y, x)] = (t[IDX(y, x)] + t[IDX(y - 1, x - 1)]) / 2;
        }
}
