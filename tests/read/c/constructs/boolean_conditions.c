// plan: --param N=10
#define N 10
void boolean_conditions(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i];
        if ((i > 2 && i < 6) || !(i < 9) || i == 0)
            t[i] = 1;
        if (!(i & 1))
            t[i] += 2;
        if (i)
            out[i] = t[i] + t[i - 1];
        if (i >= 5 == 1)
            out[i] += 3;
        if (!i)
            out[0] = 4;
        if (i > 0 ? i < 4 : 1)
            out[i] -= 1;
    }
#pragma endscop
}
