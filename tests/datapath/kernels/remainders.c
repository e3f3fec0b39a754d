/* A recurrence through a product: a beat comes in several cycles. */
#include <stdint.h>
#define H 10
#define W 16
void remainders(const uint16_t in[H][W], uint32_t out[H]) {
  for (int y = 0; y < H; y++) {
    uint32_t acc = 1;
    for (int x = 0; x < W; x++)
      acc = (acc * 31 + in[y][x]) % 65521;
    out[y] = acc;
  }
}
