// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; B[i] > 0; i++)
        A[i] = 0;
#pragma endscop
}
