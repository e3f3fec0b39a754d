// plan: --param N=8 --set 'context="[N] -> { : 6 <= N <= 100 }"'
#define N 8
#include <math.h>
#include <stdlib.h>
static int lower(int a, int b) { return a < b ? a : b; }
static float clamp(float x)
{
    float y = x;
    if (y > 100.0f)
        y = 100.0f;
    return y;
}
void pure_calls(const float in[N], float out[N])
{
    float t[N];
#pragma scop
    for (int i = 0; i < lower(N, 100); i++)
        t[i] = clamp(sqrtf(fabsf(in[i])) + floorf(in[i]) + fmaxf(in[i], 2.0f));
    for (int i = 0; i < N; i++)
        out[i] = powf(t[lower(i, 5)], 2.0f) - t[abs(i - 4)];
#pragma endscop
}
