#define N 100

/* Figure 2a: pointers that may overlap. */
void a(int *A, int *B)
{
    for (int i = 1; i < N; i++)
        A[i] = 3 * B[i];
}
