// plan: --param N=8
#define N 8
void loop_local_declarations(const int in[N], int out[N])
{
#pragma scop
    for (int i = 1; i < N; i++) {
        int left = in[i - 1], right = in[i];
        int middle;
        middle = (left + right) / 2;
        out[i] = middle;
    }
    for (int i = 1; i < N; i++) {
        int left = out[i];
        float middle = left * 0.5f;
        out[i] = (int)middle;
    }
#pragma endscop
}
