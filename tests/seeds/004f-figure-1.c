/* A region for each cause of figure 1, in the order of its rows. */
void causes(int *A, int *B, int n, unsigned m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * j] = 0;
    for (int i = 0; i * i < n; i++)
        A[i] = 0;
    for (int i = 0; i < n; i++)
        A[i] = log_it(i);
    for (int i = 1; i < n; i *= 2)
        A[i] = 0;
    for (int i = 0; i < n; i++)
        switch (B[i]) {
        case 0:
            A[i] = 0;
            break;
        default:
            A[i] = 1;
        }
    for (unsigned i = m - 1; i < m; i--)
        A[i] = B[i];
}
