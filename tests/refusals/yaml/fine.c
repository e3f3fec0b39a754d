void fine(int N, const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
S:      t[i] = in[i];
        if (i > 0)
T:          out[i] = t[i - 1];
    }
#pragma endscop
}
