#define N 8
#define T 5

/* Figure 1 of the paper on tilings: seeds of random numbers, which nothing joins. */
void seeds(unsigned R[N], unsigned a, unsigned c)
{
#pragma scop
    for (int t = 1; t <= T; t++)
        for (int i = 0; i < N; i++)
S0:         R[i] = (a * R[i] + c) % 65537;
#pragma endscop
}
