// plan: --param N=8
#define N 8
void labels(const int in[N], int out[N])
{
    int t[N];
#pragma scop
Load:
    for (int i = 0; i < N; i++)
    Copy:   t[i] = in[i];
    for (int i = 0; i < N; i++) {
    Twice:
        t[i] *= 2;
        if (i > 0)
        Store:  out[i] = t[i] - t[i - 1];
    Empty:;
    }
#pragma endscop
}
