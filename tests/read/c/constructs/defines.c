// plan: --param N=8
#define N 8
#define M (N - 1)
#define AT(a, i) a[(i) + 1]
#define EACH(i, n) for (int i = 0; i < (n); i++)
#if defined(N) && !defined(PLAIN)
#define SCALE(x) ((x) * 2)
#else
#define SCALE(x) (x)
#endif
#define JOIN(a, b) a##b
void defines(const int in[N], int out[N])
{
    int JOIN(te, mp)[N];
#pragma scop
    EACH(i, M)
        AT(temp, i) = SCALE(in[i]);
    temp[0] = SCALE(1 + 2);
    EACH(i, N)
        out[i] = temp[M - i];
#pragma endscop
}
