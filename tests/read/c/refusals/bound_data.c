// params: n
void f(int n, int B[n], int M[n][n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        int last = B[i];
        for (j = 0; j < last; j++)
            M[i][j] = 0;
    }
#pragma endscop
}
