// plan: --param n=8
void f(int n, const int in[n], int out[n])
{
    int t[4];
#pragma scop
    for (int i = 0; i < n; i++) {
        t[i % 5] = in[i + 1];
        out[i - 1] = t[i % 5 - 1];
    }
#pragma endscop
}
