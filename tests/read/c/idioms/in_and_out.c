// cells: t=2, sum=1
#define N 16
static void add(int *sum, const int *from, int count)
{
    for (int k = 0; k < count; k++)
        *sum += from[-k];
}

void f(const int in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = in[i] * 3;
        int sum = in[i];
        if (i > 0)
            add(&sum, &t[i], 2);
        out[i] = sum;
    }
}
