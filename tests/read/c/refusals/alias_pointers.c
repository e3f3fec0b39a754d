// params: n
void f(int *A, int *B, int n)
{
    int i, j;
#pragma scop
    for (i = 1; i < n; i++)
        A[i] = B[i];
#pragma endscop
}
