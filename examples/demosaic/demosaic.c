#include <stdint.h>
#define W 320
#define H 240
/* bilinear demosaic of an RGGB mosaic: packed 0xRRGGBB */
void demosaic(const uint8_t in[H][W], uint32_t out[H-2][W-2]) {
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++) {
            int c = in[y][x];
            int h = (in[y][x-1] + in[y][x+1]) / 2;
            int v = (in[y-1][x] + in[y+1][x]) / 2;
            int p = (in[y-1][x] + in[y+1][x] + in[y][x-1] + in[y][x+1]) / 4;
            int d = (in[y-1][x-1] + in[y-1][x+1] + in[y+1][x-1] + in[y+1][x+1]) / 4;
            int r, g, b;
            if ((y & 1) == 0) {
                if ((x & 1) == 0) { r = c; g = p; b = d; } else { r = h; g = c; b = v; }
            } else {
                if ((x & 1) == 0) { r = v; g = c; b = h; } else { r = d; g = p; b = c; }
            }
            out[y-1][x-1] = ((uint32_t)r << 16) | ((uint32_t)g << 8) | (uint32_t)b;
        }
}
