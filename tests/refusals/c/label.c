#define N 16
void f(const int in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = in[i];
        if (in[i] < 0) goto done;
        out[i] = t[i];
    }
done:
    out[0] = 1;
}
