// plan: --param n=8
#error "not today"
#include
#define
#if 1 +
#endif
#if 1
void f(int n, int A[n]) { }
