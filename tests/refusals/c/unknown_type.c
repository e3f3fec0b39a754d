// plan: --param n=8
void f(int n, uint8_t A[n])
{
#pragma scop
    A[0] = 0;
#pragma endscop
}
