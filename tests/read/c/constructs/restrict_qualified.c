// plan: --param N=8
#define N 8
void restrict_qualified(const float *__restrict__ a, const float *restrict b, float c[restrict N])
{
    float t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = a[i] * b[i];
    for (int i = 0; i < N; i++)
        c[i] = t[N - 1 - i];
#pragma endscop
}
