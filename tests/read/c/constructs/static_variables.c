// plan: --param N=6
#define N 6
int static_variables(const int in[N], int out[N])
{
    static int calls = 4;
    static int history[N];
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i] + history[N - 1 - i];
    calls++;
    for (int i = 0; i < N; i++) {
        out[i] = t[i] - calls;
        history[i] = t[i];
    }
#pragma endscop
    return calls;
}
