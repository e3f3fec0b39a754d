// plan: --param N=6
#define N 6
#include <stdbool.h>
#include <stdint.h>
void several_widths(const long long in[N], bool odd[N], char letters[N], double out[N])
{
    unsigned long long big[N];
    bool flag[N];
    double unused = 0;
    (void)unused;
#pragma scop
    for (int i = 0; i < N; i++) {
        big[i] = (unsigned long long)in[i] << 33;
        flag[i] = (in[i] & 1) != 0;
    }
    for (int i = 0; i < N; i++) {
        odd[i] = flag[i] && big[i] > 0x100000000ull;
        letters[i] = (char)('a' + i);
        out[i] = (double)big[i] * 1e-3;
    }
#pragma endscop
}
