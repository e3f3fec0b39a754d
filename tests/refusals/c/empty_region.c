// plan: --param n=8
void f(int n, int A[n])
{
#pragma scop
#pragma endscop
}
