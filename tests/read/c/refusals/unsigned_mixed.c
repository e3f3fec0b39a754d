// params: n
void f(unsigned n, int A[n])
{
    int i, j;
#pragma scop
    for (i = -3; i < n; i++)
        A[0] = 0;
    for (i = 0; i < 8; i++)
        A[(unsigned char) (i - 1)] = 0;
#pragma endscop
}
