// params: n, m
void f(int n, int m, int A[n], int B[n])
{
    int i, j;
#pragma scop
    for (float x = 0; x < 1; x += 0.1f)
        A[0] += 1;
#pragma endscop
}
