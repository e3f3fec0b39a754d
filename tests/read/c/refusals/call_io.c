// params: n, m
#include <stdio.h>
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        printf("%d", A[i]);
#pragma endscop
}
