// plan: --param N=8
#define N 8
void array_temporaries(const int in[N], int out[N])
{
#pragma scop
    for (int i = 2; i < N; i++) {
        int window[3];
        for (int k = 0; k < 3; k++)
            window[k] = in[i - k];
        for (int k = 0; k < 2; k++) {
            int pair[2];
            pair[0] = window[k];
            pair[1] = window[k + 1];
            window[k] = pair[0] > pair[1] ? pair[0] : pair[1];
        }
        out[i] = window[0] + window[1];
    }
#pragma endscop
}
