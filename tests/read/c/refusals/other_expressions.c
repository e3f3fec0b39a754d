// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        A[i] = 2 + (B[i] = 0);
        A[i] = B[i]++;
        A[i] = (B[i], 2);
        A[i] = sizeof A;
        A[i] + 1;
        A[i];
        sqrt(2.0);
        (void) A[i];
        A[i] = 1, B[i] = 2;
        A[~i] = 1;
        A[1 / i] = 1;
        A[1 / 0] = 1;
        n = 3;
    }
#pragma endscop
}
