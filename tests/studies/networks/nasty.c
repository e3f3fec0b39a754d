#include <math.h>
#include <stdint.h>
#define N 16
#define SCALE 3
typedef unsigned char pix;
struct point { int x; short y; };
static const int half[4] = {1, 2, 3, 4};
static inline int clip(int v) { return v > 200 ? 200 : v < 0 ? 0 : v; }
enum { BIAS = 5 };
void nasty(int n, const pix in[N][N], const struct point p[N], float gain, float out[N][N], int *sum)
{
    static const float w[3] = {0.25f, 0.5f, 0.25f};
    const int shift = 2;
    int t[N][N];
    float f[N][N];
    *sum = 0;
#pragma scop
    for (unsigned short y = 0; y < N; y++)
        for (int x = 0; x < N; x++) {
            t[y][x] = clip(in[y][x] * SCALE + p[x].x - p[y].y + half[x & 3] * (y - 250) + BIAS + n);
            t[y][x] += x << shift;
            if (x >= 2)
                f[y][x] = w[0] * t[y][x] + w[1] * t[y][x - 1] + w[2] * t[y][x - 2] + sqrtf((float)in[y][x]) * gain;
        }
    for (int y = 0; y < N; y++)
        for (int x = 2; x < N; x++) {
            out[y][x] = (pix)f[y][x] + N * 0.5f + (float)y / N;
            *sum += (x > y && f[y][x] > 30.0f) ? t[y][x] : -1;
        }
#pragma endscop
}
