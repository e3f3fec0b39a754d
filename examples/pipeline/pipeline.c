/* Two loops after each other: an image is corrected, then a 3x3 window smooths it. Run so, the
 * whole image waits between them. The pragmas let the second start two rows and columns behind
 * the first: a software pipeline that keeps the window's lines alone. */
#include <stdint.h>

#define W 64
#define H 48

void pipeline(const uint8_t raw[H][W], const uint8_t gain[W], uint8_t out[H][W])
{
    uint16_t image[H][W];
#pragma scop
#pragma hlsmem multifor sequence
    {
#pragma hlsmem nest correct grain(1,1) offset(0,0)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                correct: image[y][x] = raw[y][x] * gain[x];
#pragma hlsmem nest smooth grain(1,1) offset(2,2)
        for (int y = 1; y < H - 1; y++)
            for (int x = 1; x < W - 1; x++)
                smooth: out[y][x] = (image[y - 1][x - 1] + 2 * image[y - 1][x] + image[y - 1][x + 1]
                    + 2 * image[y][x - 1] + 4 * image[y][x] + 2 * image[y][x + 1]
                    + image[y + 1][x - 1] + 2 * image[y + 1][x] + image[y + 1][x + 1]) / 4096;
    }
#pragma endscop
}
