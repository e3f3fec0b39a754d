// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (;;)
        A[0] = 1;
    for (i = 0; ; i++)
        A[1] = 1;
    for (i = 0; i < n; )
        A[2] = 1;
    for (i = 0, j = 0; i < n; i++)
        A[3] = 1;
    for (int a = 0, b = 0; a < n; a++)
        A[4] = 1;
    for (i = 0; i < n; j++)
        A[5] = 1;
    for (i = 0; i < n; i += m)
        A[6] = 1;
    for (i = 0; i < n; i += 0)
        A[7] = 1;
    for (i = 0; i < n; i--)
        A[8] = 1;
    for (i = 0; i < n; i++)
        for (i = 0; i < n; i++)
            A[9] = 1;
    for (A[0] = 0; A[0] < n; A[0]++)
        B[0] = 1;
    for (i = 0; 1; i++)
        A[11] = 1;
#pragma endscop
}
