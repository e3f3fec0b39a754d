// plan: --param n=8
void f(unsigned n, int A[n], unsigned char k)
{
#pragma scop
    for (unsigned i = 0; i < n; i++) {
        A[i - 1] = 0;
        A[(i - 2) % 4] = 1;
        if (n - i - 5 > 2)
            A[(unsigned char)(i * 1000000000)] = 2;
    }
    for (unsigned i = n - 1; i >= 0; i--)
        A[i] = 3;
    for (signed char c = 0; c < n + 120; c++)
        A[c] = 4;
#pragma endscop
}
