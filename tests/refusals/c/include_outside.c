// plan: --param n=8 --set kernel.cflags=[-I.]
#include "../yaml/half.h"
#include "/etc/hostname"
#include "missing.h"
#include "inner/self.h"
void f(int n, int A[n])
{
#pragma scop
    A[0] = n;
#pragma endscop
}
