/* Figure 2: Sobel's window behind the image that it reads, later by three rows and columns. */
void sobel(int K, int N, const int in[K][N], int out[K][N])
{
    int a[K][N];
#pragma scop
#pragma hlsmem multifor sequence
    {
#pragma hlsmem nest R grain(1,1) offset(0,0)
        for (int i = 0; i < K; i++)
            for (int j = 0; j < N; j++)
R:              a[i][j] = in[i][j];
#pragma hlsmem nest S grain(1,1) offset(3,3)
        for (int i = 1; i < K - 1; i++)
            for (int j = 1; j < N - 1; j++)
S:              out[i][j] = a[i - 1][j - 1] + a[i][j - 1] + a[i + 1][j - 1] + a[i - 1][j]
                    + a[i][j] + a[i + 1][j] + a[i - 1][j + 1] + a[i][j + 1] + a[i + 1][j + 1];
    }
#pragma endscop
}
