// params: n, N
void f(int n, int m, int k, int A[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        int t[k];
        t[m] = A[i];
        A[i] = t[m];
        A[i] += t[i + N];
    }
#pragma endscop
}
