// plan: --param N=8 --set 'context="[N] -> { : 1 <= N <= 100 }"'
#define N 8
#include <stdint.h>
typedef unsigned char byte;
void casts(const float in[N], short out[N])
{
    double t[N];
    byte b[N];
#pragma scop
    for (long i = 0; i < (long)N; i++)
        t[(int)i] = (double)in[i] * 1.5;
    for (int i = 0; i < N; i++)
        b[(unsigned)i] = (byte)(int)t[i];
    for (int i = 0; i < N; i++)
        out[i] = (short)((int8_t)b[i] - (int)t[(uint8_t)i]);
#pragma endscop
}
