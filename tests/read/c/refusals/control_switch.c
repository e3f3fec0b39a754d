// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        switch (B[i]) {
        case 0:
            A[i] = 0;
            break;
        default:
            A[i] = 1;
        }
#pragma endscop
}
