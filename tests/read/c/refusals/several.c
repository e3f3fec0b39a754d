// params: n, m
int g(int);
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n * n; i++)
        A[B[i]] = g(i);
#pragma endscop
}
