/* Figure 8: a matrix product as four that run at once, a quarter of C each. */
void product(int n, const int a[n][n], const int b[n][n], int c[n][n])
{
#pragma scop
#pragma hlsmem multifor parallel
    {
#pragma hlsmem nest M0 grain(1,1,1) offset(0,0,0)
        for (int i = 0; i < n/2; i++)
            for (int j = 0; j < n/2; j++)
                for (int k = 0; k < n; k++)
M0:                 c[i][j] = c[i][j] + a[i][k] * b[k][j];
#pragma hlsmem nest M1 grain(1,1,1) offset(0,0,0)
        for (int i = 0; i < n/2; i++)
            for (int j = 0; j < n/2; j++)
                for (int k = 0; k < n; k++)
M1:                 c[i][j + n/2] = c[i][j + n/2] + a[i][k] * b[k][j + n/2];
#pragma hlsmem nest M2 grain(1,1,1) offset(0,0,0)
        for (int i = 0; i < n/2; i++)
            for (int j = 0; j < n/2; j++)
                for (int k = 0; k < n; k++)
M2:                 c[i + n/2][j] = c[i + n/2][j] + a[i + n/2][k] * b[k][j];
#pragma hlsmem nest M3 grain(1,1,1) offset(0,0,0)
        for (int i = 0; i < n/2; i++)
            for (int j = 0; j < n/2; j++)
                for (int k = 0; k < n; k++)
M3:                 c[i + n/2][j + n/2] = c[i + n/2][j + n/2] + a[i + n/2][k] * b[k][j + n/2];
    }
#pragma endscop
}
