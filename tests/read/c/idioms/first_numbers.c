// cells: window=4, taps=4, sum=1
#define N 12
static int weighted(const int v[4])
{
    int taps[4] = {1, 3, [3] = 1};
    taps[2] = taps[1];
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += taps[k] * v[k];
    return sum;
}

void f(const short in[N], int out[N])
{
    int window[4] = {7, -7};
    for (int i = 0; i < N; i++) {
        for (int k = 3; k > 0; k--)
            window[k] = window[k - 1];
        window[0] = in[i];
        out[i] = weighted(window);
    }
}
