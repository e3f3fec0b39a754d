// plan: --param N=6
#define N 6
void chained_assignments(const int in[N], int out[N])
{
    int t[N], u[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = u[i] = in[i] + 1;
    for (int i = 0; i < N; i++)
        out[i] = t[i] += u[N - 1 - i];
#pragma endscop
}
