#define N 34
#define T 8

/* Figure 3 of the paper on tilings: a three-point stencil in two statements. */
void stencil(float A[N])
{
    float B[N];
#pragma scop
    for (int t = 1; t <= T; t++) {
        for (int i = 1; i <= N - 2; i++)
S1:         B[i] = (A[i - 1] + 2 * A[i] + A[i + 1]) / 4;
        for (int i = 1; i <= N - 2; i++)
S2:         A[i] = B[i];
    }
#pragma endscop
}
