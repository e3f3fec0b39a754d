// plan: --param m=8
void f(int n, int m, int A[n])
{
#pragma scop
    A[0] = 1;
#pragma endscop
}
