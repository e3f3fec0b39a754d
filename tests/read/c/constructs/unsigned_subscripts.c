// plan: --param n=8 --set 'context="[n] -> { : 3 <= n <= 1000 }"'
#include <stddef.h>
/* Nothing here wraps around for the parameters of the context. */
void unsigned_subscripts(unsigned n, const int in[n], int out[n])
{
    int t[n];
#pragma scop
    for (size_t i = 0; i < n; i++)
        t[n - 1 - i] = in[i];
    for (unsigned i = 2; i < n; i++)
        out[i] = t[i - 2u] + t[(i + 1) % 3u];
    for (unsigned i = n; i > 0; i--)
        out[i - 1] += t[i - 1];
#pragma endscop
}
