/* Figure 2b: subscripts with a product of two variables. */
void b(int *A, int N)
{
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++)
            A[j * N + i] += A[j * N + i - 1];
}
