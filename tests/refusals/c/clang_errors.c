// plan: --param n=8
struct pair { int a, b; };
int fill(int *t, int n);
void f(int n, int A[n], struct pair *p)
{
#pragma scop
    for (int i = 0; i < 99999999999999999999999999; i++)
        A[i].a = fill(A);
    A[0] = p[0] + count + p->c;
    A[1] = unknown + (u16)count;
#pragma endscop
}
