// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    i = 0;
    while (i < n) {
        A[i] = 0;
        i++;
    }
    do
        A[0] = 1;
    while (A[1]);
#pragma endscop
}
