// params: n
void f(int n, int A[n], int M[n][n], float *B)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        A[i] = (M[i] != 0) + B[i];
#pragma endscop
}
