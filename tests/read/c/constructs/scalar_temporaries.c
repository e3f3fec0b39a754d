// plan: --param N=8
#define N 8
void scalar_temporaries(const int in[N], int out[N])
{
    int last = 0, next;
    int sum;
    sum = 3;
#pragma scop
    for (int i = 0; i < N; i++) {
        int now = in[i], twice = 2 * now;
        next = twice - last;
        last = now;
        sum += next;
        out[i] = sum;
    }
#pragma endscop
    out[0] += sum;
}
