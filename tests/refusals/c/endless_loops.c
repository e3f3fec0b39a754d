// plan: --param n=8
void f(int n, int A[n])
{
#pragma scop
    for (int i = 0; i < n; i--)
        A[i] = 0;
    for (int i = 0; i != n; i += 2)
        A[i] = 1;
    for (int i = n; i; i -= 0)
        A[i] = 2;
    for (int i = 0; ; i++)
        A[i] = 3;
    for (int i = 0; i < n; i += i)
        A[i] = 4;
    for (int i = 0, j = 1; i < n; i++)
        A[i] = j;
    for (; n > 0;)
        A[0] = 5;
#pragma endscop
}
