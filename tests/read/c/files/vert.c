#include "pipe.h"
typedef short sum_t;
struct taps { int side, middle; };
enum { ROUND = 2 };
static const int coef[3] = {1, 2, 1};
static sum_t weight(int a, int b, int c) { return (coef[0] * a + coef[1] * b + coef[2] * c + ROUND) / 4; }
void vblur(const u8 in[H][W], u8 out[H][W])
{
    struct taps taps;
    taps.middle = 1;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            out[y][x] = taps.middle * weight(in[clamp(y - 1, 0, H - 1)][x], in[y][x], in[clamp(y + 1, 0, H - 1)][x]);
}
