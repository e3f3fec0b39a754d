// plan: --param N=6
#define N 6
int increments(const int in[N], int out[N])
{
    int t[N], count;
#pragma scop
    count = 0;
    for (int i = 0; i < N; i++) {
        t[i] = in[i];
        t[i]++;
        ++t[i];
        count++;
        if (i > 2)
            t[i - 1]--;
        if (i > 3)
            --t[i - 3];
    }
    for (int i = 0; i < N; ++i)
        out[i] = t[i] + count;
    --count;
#pragma endscop
    return count;
}
