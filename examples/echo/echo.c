/* An echo 1283 samples later: a circular buffer whose size is no power of two. */
#include <stdint.h>

#ifndef N
#define N 4096
#endif
#define DELAY 1283

void echo(const int32_t in[N], int32_t out[N]) {
    int t;
#pragma scop
    for (t = DELAY; t < N; t++)
        S: out[t] = in[t] + in[t - DELAY] / 2;
#pragma endscop
}
