// plan: --param n=10 --param m=12
// cells: L=14
int f(int n, int m, const char a[n + 1], const char b[m + 1])
{
    int L[n + 1][m + 1];
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            if (i == 0 || j == 0)
                L[i][j] = 0;
            else if (a[i] == b[j])
                L[i][j] = L[i - 1][j - 1] + 1;
            else
                L[i][j] = L[i - 1][j] > L[i][j - 1] ? L[i - 1][j] : L[i][j - 1];
    return L[n][m];
}
