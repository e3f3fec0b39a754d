// plan: --param N=8 --set kernel.cflags=[-Iinclude,-DTAPS=3,-DWIDE,-UUNUSED]
#include "sizes.h"
#include <math.h>
void includes(const sample in[N], sample out[N])
{
    sample t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = fabs(in[i]);
    for (int i = TAPS - 1; i < N; i++) {
        out[i] = 0;
        for (int k = 0; k < TAPS; k++)
            out[i] += t[i - k] * weight(k);
    }
#pragma endscop
}
