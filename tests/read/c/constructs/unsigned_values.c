// plan: --param N=8
#define N 8
#include <stdint.h>
/* Values may wrap around as C says; only what decides where and when may not. */
void unsigned_values(const uint32_t in[N], uint32_t out[N], int32_t less[N])
{
    uint32_t t[N];
    uint8_t b[N];
    uint64_t l[N];
#pragma scop
    for (unsigned i = 0; i < N; i++) {
        t[i] = in[i] * 2654435761u - 4000000000u;
        b[i] = (uint8_t)t[i];
        b[i] += 250;
        l[i] = (uint64_t)t[i] * t[i];
    }
    for (unsigned i = 0; i < N; i++) {
        out[i] = (t[i] - in[i]) ^ (uint32_t)(l[i] >> 7);
        less[i] = (int)(in[i] - 1u > b[i]) + (-1 < (long)in[i]) + (-1 < in[i]);
    }
#pragma endscop
}
