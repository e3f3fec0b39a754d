// params: n, m
void f(int n, int m, int A[n])
{
    for (int i = 0; i < n; i++) {
        int v = A[i];
#pragma hlsmem trips(many)
        while (v > 1)
            v = v / 2;
#pragma hlsmem trips(0)
        while (v > 0)
            v = v - 1;
#pragma hlsmem trips(n * m)
        while (v > 0)
            v = v - 1;
#pragma hlsmem trips(n - 5)
        while (v > 0)
            v = v - 1;
#pragma hlsmem trips(n / 2)
        while (v > 0)
            v = v - 1;
#pragma hlsmem trips
        while (v > 0)
            v = v - 1;
        A[i] = v;
    }
}
