/* Operands that only some beats have, in front of a loop, in it and behind it. */
#include <stdint.h>
void absent(const uint8_t src[12][40], const int8_t bias[12], int32_t sums[12]) {
  for (int y = 0; y < 12; y++) {
    int s = y > 3 ? bias[y] : 5;
    for (int x = 0; x < 40; x++)
      s += x > 2 ? src[y][x] : 1;
    sums[y] = y < 10 ? s + bias[y] : s;
  }
}
