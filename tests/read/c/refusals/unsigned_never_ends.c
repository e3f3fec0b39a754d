// params: n
void f(unsigned n, int A[n])
{
    int i, j;
#pragma scop
    for (unsigned k = n; k >= 0; k--)
        A[k] = 0;
#pragma endscop
}
