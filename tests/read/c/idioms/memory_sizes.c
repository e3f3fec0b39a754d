// plan: --param n=12
// cells: t=132
#include <string.h>
void f(int n, float in[n][n], float out[n][n])
{
    float t[n][n];
    memcpy(t, in, n * n * sizeof(float));
    memset(out[0], 0, n * sizeof(float));
    for (int y = 1; y < n; y++)
        memcpy(out[y], t[n - y], sizeof t[0]);
}
