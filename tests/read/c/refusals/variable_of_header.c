// params: n
void f(int n, int A[n + 1])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        A[i] = 0;
        if (A[i + 1])
            i++;
    }
#pragma endscop
}
