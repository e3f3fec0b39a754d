#include <math.h>
static unsigned root(unsigned x) {
  unsigned r = 0;
  for (unsigned b = 1u << 7; b; b >>= 1)
    if ((r + b) * (r + b) <= x) r += b;
  return r;
}
void levels(const float a[6][80], const unsigned short n[6][80], float sums[6], float taps[6][78],
            float level[6][80], unsigned char roots[6][80]) {
  static const float w[3] = {0.5f, -1.25f, 0.1f};
  for (int y = 0; y < 6; y++) {
    float s = 0;
    for (int x = 0; x < 80; x++) s += a[y][x] * a[y][x] - 1;
    sums[y] = -s;
  }
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 78; x++)
      taps[y][x] = fabsf(w[0] * a[y][x] - w[1] * a[y][x + 1] + w[2] * a[y][x + 2]);
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 80; x++) level[y][x] = a[y][x] ? a[y][x] : 1.5f;
  for (int y = 0; y < 6; y++)
    for (int x = 0; x < 80; x++) roots[y][x] = root(n[y][x]);
}
