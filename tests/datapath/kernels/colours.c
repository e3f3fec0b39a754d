/* Three colours of a pixel, written in one step. */
#include <stdint.h>
#define H 12
#define W 16
void colours(const uint8_t in[H][W], uint8_t out[H][W][3]) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      int v = in[y][x];
      out[y][x][0] = v;
      out[y][x][1] = 255 - v;
      out[y][x][2] = (v * v) >> 8;
    }
}
