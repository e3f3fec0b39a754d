// plan: --param n=8
void f(int n, int A[n])
{
#pragma scop
    for (int i = 1; i < n; i++) {
        static int kept;
        kept = A[i];
        A[i] = kept;
    }
#pragma endscop
}
