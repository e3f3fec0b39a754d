// params: n
void f(double **M, int n)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            M[i][j] = 0;
#pragma endscop
}
