// plan: --param N=9
#define N 9
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
void min_max_bounds(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int b = 0; b < N; b += 4)
        for (int i = b; i < MIN(b + 4, N); i++)
            t[i] = in[i] * 3;
    for (int i = 0; i < N; i++) {
        out[i] = 0;
        for (int j = max(0, i - 2); j <= MIN(N - 1, i + 2); j++)
            out[i] += t[j];
    }
#pragma endscop
}
