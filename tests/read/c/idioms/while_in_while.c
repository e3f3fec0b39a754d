// cells: v=1, n=1, T0=9, T1=1, k=1, T2=9, T3=1
#define N 8
static void ones(unsigned char v, int *count)
{
    unsigned char n = 0;
#pragma hlsmem trips(8)
    while (v) {
        unsigned char k = 1;
#pragma hlsmem trips(8)
        while ((v & k) == 0)
            k = k << 1;
        v = v & ~k;
        n++;
    }
    *count = n;
}
void f(const unsigned char in[N], int out[N])
{
    for (int i = 0; i < N; i++)
        ones(in[i], &out[i]);
}
