// params: n, m
void f(int n, int m, int A[n])
{
    for (int i = 0; i < n; i++) {
        int v = A[i];
#pragma hlsmem trips(8)
#pragma hlsmem trips(9)
        while (v > 1)
            v = v / 2;
        A[i] = v;
    }
}
