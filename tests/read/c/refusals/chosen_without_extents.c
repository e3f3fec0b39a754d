// params: n, m
void f(int n, int m, int *restrict A, int B[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        A[B[i]] = i;
    for (int i = 0; i < n; i++)
        A[i * m + B[i]] = i;
#pragma endscop
}
