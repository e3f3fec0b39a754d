// plan: --param n=8
void f(int n, int A[n])
{
#pragma scop
    for (int i = 0; i < n; i++
        A[i] = 0;
#pragma endscop
}
