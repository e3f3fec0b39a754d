// plan: --param n=8
void f(int n, int A[n])
{
#pragma scop
    for (int i = 0; i < 99999999999999999999999999; i++)
        A[0] = i;
    for (long i = 0; i < 9223372036854775807; i += 4611686018427387904)
        A[i] = 1;
    A[0x7fffffffffffffffffff] = 2;
#pragma endscop
}
