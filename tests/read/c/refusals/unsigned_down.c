// params: n
void f(unsigned n, int A[n])
{
    int i, j;
#pragma scop
    for (unsigned k = n - 1; k < n; k--)
        A[k] = 0;
#pragma endscop
}
