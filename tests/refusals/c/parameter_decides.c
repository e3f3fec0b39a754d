// plan: --param N=8
#define N 8
#if N > 4
#define TWICE(x) ((x) * 2)
#else
#define TWICE(x) (x)
#endif
void f(int A[N])
{
#pragma scop
    for (int i = 0; i < N; i++)
        A[i] = TWICE(i);
#pragma endscop
}
