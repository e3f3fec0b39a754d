/* Two words of a pixel, the second one first, of the inner pixels alone. */
#include <stdint.h>
#define H 12
#define W 16
void slopes(const int16_t in[H][W], int16_t out[H][W][2]) {
  for (int y = 1; y < H-1; y++)
    for (int x = 1; x < W-1; x++) {
      out[y][x][1] = in[y][x+1] - in[y][x-1];
      out[y][x][0] = in[y+1][x] - in[y-1][x];
    }
}
