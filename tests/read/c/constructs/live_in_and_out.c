// plan: --param N=8 --set arrays.a.storage=memory
#define N 8
void live_in_and_out(int a[N], const int b[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = a[i] + b[i];
    for (int i = 1; i < N; i++)
        a[i] = t[i] - t[i - 1];
#pragma endscop
}
