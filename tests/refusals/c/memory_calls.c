#include <string.h>
#define N 8
void f(const int in[N][N], float out[N][N])
{
    int t[N][N], *pointer;
    float u[N];
#pragma scop
    memset(t, 1, sizeof t);
    memset(u, -1, sizeof u);
    memcpy(u, in[0], sizeof u);
    memcpy(t[0], in[0], 6);
    memcpy(t, in, sizeof pointer);
    memmove(t[2], in[2], sizeof t[2]);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            out[y][x] = t[y][x] + u[x];
#pragma endscop
}
