// plan: --set host.alias=refuse
#define N 16
void f(int *in, int *out)
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = in[i];
        if (i > 0) out[i] = t[i - 1];
    }
}
