// plan: --param N=6
#define N 6
void compound_assignments(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i];
        t[i] += 7;
        t[i] -= i;
        t[i] *= 3;
        t[i] /= 2;
        t[i] %= 50;
        t[i] <<= 2;
        t[i] >>= 1;
        t[i] &= 0xff;
        t[i] |= 16;
        t[i] ^= 3;
        out[i] = t[i];
    }
#pragma endscop
}
