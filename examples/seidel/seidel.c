#define N 12
#define T 8

/* Gauss-Seidel smoothing in place. */
void seidel(int a[N])
{
#pragma scop
    for (int t = 0; t < T; t++)
        for (int i = 1; i < N - 1; i++)
S:          a[i] = (a[i - 1] + 2 * a[i] + a[i + 1]) / 4;
#pragma endscop
}
