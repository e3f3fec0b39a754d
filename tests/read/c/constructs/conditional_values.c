// plan: --param N=8
#define N 8
void conditional_values(const int in[N], int out[N])
{
    int t[N], u[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = i > 0 ? in[i] - in[i - 1] : in[i];
        u[i] = in[i] > 0 && t[i] < 3 ? t[i] : (in[i] < 0 || t[i] > 5);
    }
    for (int i = 0; i < N; i++)
        out[i] = u[i] > 0 ? t[i] : i > 1 && u[i] < 9 ? t[i - 1] : -1;
#pragma endscop
}
