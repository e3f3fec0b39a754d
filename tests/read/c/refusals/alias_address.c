// params: n, m
int *p;
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        *(i + A) = 0;
        A[i] = *&B[i];
        p[i] = A[i];
    }
#pragma endscop
}
