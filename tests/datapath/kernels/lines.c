/* Lines above that the first rows have not. */
#include <stdint.h>
void lines(const uint8_t src[12][16], uint8_t dst[12][16]) {
  uint8_t l0[16], l1[16];
  for (int y = 0; y < 12; y++)
    for (int x = 0; x < 16; x++) {
      int one = src[y][x];
      int a = y > 1 ? l0[x] : one;
      int b = y > 0 ? l1[x] : one;
      l0[x] = b;
      l1[x] = one;
      dst[y][x] = (one + 2 * b + a) / 4;
    }
}
