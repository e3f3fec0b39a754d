// plan: --param N=10
#define N 10
void literals(const int in[N], double out[N])
{
    double t[0x0A];
#pragma scop
    for (int i = 00; i < 0xAu; i += 1l)
        t[i] = in[i] + 1e-3 + .5f + 0x1p3 + 'a' + 1.5L + 077 + 10ull + '\n' + 1.e2;
    for (int i = '\0'; i < 012; i++)
        out[i] = t[i] - t['b' - 'a'];
#pragma endscop
}
