// params: n
void f(long base, int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        *(int *) (base + 4 * i) = 0;
#pragma endscop
}
