// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    P: A[0] = 1;
    P: A[1] = 2;
#pragma endscop
}
