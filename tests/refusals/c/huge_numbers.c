// plan: --param n=8
void f(int n, int A[n])
{
#pragma scop
    for (long i = 0; i < 9223372036854775807; i += 4611686018427387904)
        A[i] = 1;
#pragma endscop
}
