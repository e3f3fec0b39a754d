// plan: --param N=8 --set 'context="[N] -> { : 1 <= N <= 100 }"'
#define N 8
void loop_spellings(const int in[N], int out[N])
{
    int i, t[N];
    long l;
#pragma scop
    for (i = 0; N > i; ++i)
        t[i] = in[i];
    for (i = 0; i <= N - 1; i++)
        t[i] += i;
    for (i = 0; i != N; i += 1)
        t[i] *= 2;
    for (i = 0; !(i >= N); i = 1 + i)
        t[i] -= 3;
    for (l = 2 * 0; l + 1 <= N; l = l + 1L)
        t[l] ^= 5;
    for (i = -1; i + 1 < N && i < 100; i++)
        t[i + 1] |= 1;
    for (unsigned char c = 0; c < N; c++)
        out[c] = t[c];
#pragma endscop
}
