#include <stdint.h>
#define N 16
#define HALF(x) ((x) / 2)
typedef int16_t sample;
enum { TAPS = 3 };
static const int weight[TAPS] = {1, 2, 1};

void f(unsigned n, const sample *restrict in, sample out[N], float gain)
{
    sample line[N];
    float s;
    int j;
#pragma scop
    s = 0;
    for (int i = 0; i < N; i++) {
        line[i] = in[2 * i] * weight[i % TAPS];
        if (i >= TAPS && !(i > N - 2))
            for (j = i; j > HALF(i); j -= 2)
                out[j] += line[j - 1] > 0 ? line[i] : -line[i];
        else
            s = s * gain + (float) line[HALF(i)];
    }
    for (unsigned k = 0; k < n; k++) {
L:      out[k & 7] = s;
    }
#pragma endscop
}
