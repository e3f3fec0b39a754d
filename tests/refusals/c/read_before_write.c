// plan: --param n=8
void f(int n, const int in[n], int out[n])
{
    int t[n], s;
#pragma scop
    for (int i = 0; i < n; i++) {
        out[i] = t[i] + s;
        t[n - 1 - i] = in[i];
    }
    s = t[0];
#pragma endscop
}
