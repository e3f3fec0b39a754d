// plan: --param N=12
#define N 12
/* % takes the sign of the dividend, / truncates: (i - 5) % 3 is -2 .. 2 */
void negative_modulo(const int in[N], int out[N])
{
    int t[5], u[N];
#pragma scop
    for (int i = 0; i < 5; i++)
        t[i] = 0;
    for (int i = 0; i < N; i++) {
        t[(i - 5) % 3 + 2] = in[i];
        u[i] = t[(i - 5) % 3 + 2] + (i - 5) / 2 + (i - 7) % 4;
        if ((i - 6) % 2 == 1)
            u[i] += 100;
        if ((i - 6) % 2 == -1)
            u[i] += 200;
        if ((5 - i) / 3 == 0)
            u[i] += 300;
        if ((i - 6) / -2 == 1)
            u[i] += 400;
        if ((i - 6) % -4 == -3)
            u[i] += 500;
    }
    for (int i = 0; i < N; i++)
        out[i] = u[(i - N + 1) / -1] + t[i % 5];
#pragma endscop
}
