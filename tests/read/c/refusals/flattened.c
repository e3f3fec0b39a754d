// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            A[i * m + j] = 0;
#pragma endscop
}
