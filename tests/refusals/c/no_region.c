// plan: --param n=8
void f(int n, int A[n])
{
    A[0] = n;
}
