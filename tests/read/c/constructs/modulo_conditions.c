// plan: --param N=12
#define N 12
void modulo_conditions(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        if (i % 3 == 0)
            t[i] = in[i];
        else if (i % 3 == 1)
            t[i] = in[i] + t[i - 1];
        else
            t[i] = in[i] - t[i - 1];
        if (i % 2)
            out[i] = t[i] + t[i - 1];
        else
            out[i] = t[i];
    }
#pragma endscop
}
