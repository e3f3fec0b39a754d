// cells: previous=16, t=256, seen=17
#include <string.h>
#define N 16

static void keep(short *to, const short *from)
{
    memcpy(to, from, N * sizeof(short));
}

void f(const short in[N][N], short out[N][N])
{
    short previous[N], t[N][N], seen[N + 1];

    memset(previous, 0, sizeof previous);
    memcpy(t, in, sizeof t);
    (void)memset(&seen[1], -1, N * sizeof *seen);
    seen[0] = 0;
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++)
            out[y][x] = t[N - 1 - y][x] - previous[x] + seen[N - x];
        keep(previous, in[y]);
        memcpy(seen + 1, &in[y][1], (N - 1) * sizeof(*seen));
        memset((void *)t[N - 1 - y], 0, 2 * sizeof t[0][0]);
    }
}
