#include <assert.h>
static int valid(int k) { return k >= 0; }
void f(const int key[16], int bins[8])
{
    for (int i = 0; i < 16; i++) {
        assert(key[i] < 8);
        bins[key[i]] += 1;
        int k = key[i];
        assert(valid(k) && k < 8);
        bins[k] += 1;
    }
}
