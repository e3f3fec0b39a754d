// plan: --param n=8
void f(int n, int A[n])
{
#pragma scop
    A[0] = n;
#pragma endscop
}
void g(int n, int A[n])
{
#pragma scop
    A[1] = n;
#pragma endscop
}
