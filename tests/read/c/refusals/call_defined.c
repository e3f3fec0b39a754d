// params: n, m
static int calls;
static int count(int x) { calls++; return x; }
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        A[i] = count(B[i]);
#pragma endscop
}
