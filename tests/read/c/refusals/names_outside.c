// params: n
int f(int n, int A[n])
{
    int i, j;
    n = n - 1;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            A[i] = 0;
#pragma endscop
    for (j = 0; j < 2; j++)
        A[j] = 1;
    return i;
}
