// plan: --param w=16 --param h=6
// cells: t=49
#include <stdint.h>
void rgb(int h, int w, const uint8_t *restrict in, uint8_t *restrict out)
{
    short t[3 * h * w];
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int c = 0; c < 3; c++) {
                t[(y * w + x) * 3 + c] = in[(y * w + x) * 3 + c];
                if (y >= 1)
                    out[(y * w + x) * 3 + c] = t[(y * w + x) * 3 + c] - t[((y - 1) * w + x) * 3 + c];
            }
}
