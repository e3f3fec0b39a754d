// params: n
static int total;
static const int k[1] = {3};
volatile int busy;
void f(int n, int A[n], volatile int *busy_, struct pair { int x; } s, long double big, union { int a; } u)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        A[i] = total;
        total = A[i];
        static int kept[2];
        A[i] = kept[0];
        A[i] = busy;
        A[i] = s.y;
        A[i] = big;
        A[i] = u;
        k[0] = A[i];
        const int table[2] = {1, 2};
        int t[2] = {1, 2};
        A[i] = t[0];
        A[i][0] = 1;
        A = 1;
        x[i] = 1;
        n[i] = 1;
        _Bool b = A[i];
        b = A[i] != 0;
        b++;
    }
#pragma endscop
}
