// cells: t=16
#define N 16
void f(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i];
#pragma endscop
    t[0] = 0;
#pragma scop
    for (int i = 0; i < N; i++)
        out[i] = t[N - 1 - i];
#pragma endscop
}
