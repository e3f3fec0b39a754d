/* Section 5.2 for three loops: the rank of a tetrahedron is a polynomial of the third degree. */
void cube(int N, int a[N][N][N])
{
#pragma scop
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k <= j; k++)
A:              a[i][j][k] = i + j + k;
#pragma endscop
}
