// plan: --param N=7
#define N 7
void swapped_rows(const int in[N], int out[N])
{
    int a[2][N];
#pragma scop
    for (int i = 0; i < N; i++)
        a[0][i] = in[i];
    for (int t = 0; t < 4; t++)
        for (int i = 1; i < N - 1; i++) {
            a[(t + 1) % 2][0] = a[t % 2][0];
            a[(t + 1) % 2][N - 1] = a[t % 2][N - 1];
            a[(t + 1) % 2][i] = a[t % 2][i - 1] + a[t % 2][i] + a[t % 2][i + 1];
        }
    for (int i = 0; i < N; i++)
        out[i] = a[0][i];
#pragma endscop
}
