#define N 16
#define T 4
void f(int *restrict a, int *restrict b)
{
    int *t;
    for (int k = 0; k < T; k++) {
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
        t = a; a = b; b = t;
    }
}
