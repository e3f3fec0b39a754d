// cells: h=16, low=16, k=1, T0=1
#include <assert.h>
#define N 32
#define BINS 16
void f(const int key[N], int bins[BINS], int first[BINS])
{
    int h[BINS], low[BINS];
    for (int b = 0; b < BINS; b++) {
        h[b] = 0;
        low[b] = -1;
    }
    for (int i = 0; i < N; i++) {
        int k = (key[i] & 0x7fffffff) % BINS;
        assert(i < N && k >= 0 && k < BINS);
        h[k] += 1;
        if (low[k] < 0)
            low[k] = i;
    }
    for (int b = 0; b < BINS; b++) {
        bins[b] = h[b];
        first[b] = low[b];
    }
}
