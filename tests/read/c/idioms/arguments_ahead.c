// cells: t=1, sum=1, t_3=1, in_2=1, put_2=1, x=1, add_2=1
/* What earlier arguments read stays ahead of what calls in later ones store */
#define N 24

static int put(int *t, int i, int x)
{
    t[i] = x;
    return x + 1;
}

static int mix(int a, int b, int c)
{
    return a * 3 + b * c;
}

static int add(const int *t, int i, int *sum)
{
    *sum += t[i];
    return *sum & 15;
}

void arguments(const int in[N], int out[N])
{
    int t[N];
    int sum = 0;
    t[0] = 1;
    for (int i = 1; i < N; i++)
        out[i] = mix(t[i - 1] & in[i], put(&t[0], i, in[i] - i), add(in, i, &sum));
}
