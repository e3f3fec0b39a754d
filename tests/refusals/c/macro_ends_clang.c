// plan: --param n=8
#define A0 n+n+n+n+n+n+n+n
#define A1 A0+A0+A0+A0+A0+A0+A0+A0
#define A2 A1+A1+A1+A1+A1+A1+A1+A1
#define A3 A2+A2+A2+A2+A2+A2+A2+A2
#define A4 A3+A3+A3+A3+A3+A3+A3+A3
#define A5 A4+A4+A4+A4+A4+A4+A4+A4
void f(int n, int A[n])
{
#pragma scop
    A[0] = A5;
#pragma endscop
}
