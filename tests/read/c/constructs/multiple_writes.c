// plan: --param N=6
#define N 6
void multiple_writes(const int in[N], int out[N])
{
    int t[2], s;
#pragma scop
    s = 0;
    t[1] = 0;
    for (int i = 0; i < N; i++) {
        t[i % 2] = in[i];
        if (i > 1)
            s = t[0] - t[1];
        out[i] = s + t[(i + 1) % 2];
    }
#pragma endscop
}
