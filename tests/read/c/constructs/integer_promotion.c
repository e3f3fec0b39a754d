// plan: --param N=8 --set 'context="[N] -> { : 1 <= N <= 100 }"'
#define N 8
#include <stdint.h>
/* What is narrower than int is computed as int and cut when it is stored. */
void integer_promotion(const uint8_t in[N], int16_t out[N])
{
    uint8_t sum[N];
    int8_t small[N];
    uint16_t wide[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        sum[i] = in[i] + 200;
        small[i] = in[i] * 3;
        wide[i] = ~in[i];
        sum[i] -= 201;
        small[i]++;
        wide[i] <<= 3;
    }
    for (signed char i = 0; i < N; i++) {
        out[i] = (sum[i] << 4) - small[i] + (wide[i] >> 2);
        if (i - 1 < 0)
            out[i] = -sum[i] < 0;
    }
#pragma endscop
}
