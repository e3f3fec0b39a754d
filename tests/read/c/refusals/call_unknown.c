// params: n, m
void log_it(int i);
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        A[i] = 0;
        log_it(i);
    }
#pragma endscop
}
