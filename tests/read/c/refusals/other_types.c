// params: n
static volatile int busy;
void f(int n, int A[n], int *B, long double big, volatile int *port)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        A[i] = busy + big + port[i];
        A[i] = *(short *) B;
        A[i] = (int) (long) (char *) B;
    }
#pragma endscop
}
