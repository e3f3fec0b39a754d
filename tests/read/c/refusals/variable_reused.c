// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i += 2)
        A[i] = 0;
    A[0] = i;
    j = 2;
#pragma endscop
}
