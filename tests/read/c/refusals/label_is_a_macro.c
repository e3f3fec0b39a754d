// params: N
#define N 8
void f(int A[N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
N:      A[i] = 1;
    }
#pragma endscop
}
