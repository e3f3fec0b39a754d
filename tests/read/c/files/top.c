#include "pipe.h"
void top(const u8 in[H][W], u8 out[H][W])
{
    u8 t[H][W];
    hblur(in, t);
    vblur(t, out);
}
