// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (int i = 0; i < 3; i++)
            A[i] = 1;
    for (int n = 0; n < 3; n++)
        A[n] = 1;
#pragma endscop
}
