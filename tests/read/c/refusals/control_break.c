// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        if (B[i])
            break;
        if (A[i])
            continue;
        A[i] = 0;
    }
    B[0] = i;
#pragma endscop
}
