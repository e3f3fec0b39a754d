// plan: --param N=10 --set 'context="[N] -> { : N >= 5 }"'
#define N 10
void affine_conditions(const int in[N], int out[N])
{
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        if (i < 3)
            t[i] = in[i];
        else if (2 * i >= N + 2)
            t[i] = -in[i];
        else {
            t[i] = 0;
            t[i] += 7;
        }
        if (N - i != 4 || i == 0)
            out[i] = t[i];
        else
            out[i] = t[i - 1];
    }
#pragma endscop
}
