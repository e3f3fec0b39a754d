/* Figure 5 as printed: black points run before the red ones that they read. */
void red_black(int N, int u[N][N])
{
#pragma scop
#pragma hlsmem multifor sequence
    {
#pragma hlsmem nest R0 grain(2,2) offset(0,0)
        for (int i = 1; i < N - 1; i += 2)
            for (int j = 1; j < N - 1; j += 2)
R0:             u[i][j] = u[i][j + 1] + u[i][j - 1] + u[i - 1][j] + u[i + 1][j];
#pragma hlsmem nest R1 grain(2,2) offset(1,1)
        for (int i = 2; i < N - 1; i += 2)
            for (int j = 2; j < N - 1; j += 2)
R1:             u[i][j] = u[i][j + 1] + u[i][j - 1] + u[i - 1][j] + u[i + 1][j];
#pragma hlsmem nest B0 grain(2,2) offset(0,1)
        for (int i = 1; i < N - 1; i += 2)
            for (int j = 2; j < N - 1; j += 2)
B0:             u[i][j] = u[i][j + 1] + u[i][j - 1] + u[i - 1][j] + u[i + 1][j];
#pragma hlsmem nest B1 grain(2,2) offset(1,0)
        for (int i = 2; i < N - 1; i += 2)
            for (int j = 1; j < N - 1; j += 2)
B1:             u[i][j] = u[i][j + 1] + u[i][j - 1] + u[i - 1][j] + u[i + 1][j];
    }
#pragma endscop
}
