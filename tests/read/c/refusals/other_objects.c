// params: n
static int total;
static const int k[1] = {3};
volatile int busy;
void f(int n, int A[n], int *busy_, struct pair { int x; } s)
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++) {
        A[i] = total;
        total = A[i];
        static int kept[2];
        A[i] = kept[0];
        A[i] = busy;
        const int table[2] = {1, 2};
        int t[2] = {1, 2};
        A[i] = t[0];
        _Bool b = A[i];
        b = A[i] != 0;
        b++;
    }
#pragma endscop
}
