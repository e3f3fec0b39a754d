#define N 8
extern int sensor(int i);
static void fill(int *t, int n)
{
    for (int i = 0; i < n; i++)
        t[i] = sensor(i);
}
static int count(int n)
{
    return n > 0 ? count(n - 1) + 1 : 0;
}
static int find(const int *t, int value)
{
    for (int i = 0; i < N; i++)
        if (t[i] == value)
            return i;
    return -1;
}
static void both(int *t, int *u)
{
    fill(t, N);
    fill(u, N);
}
void f(int out[N])
{
    int t[N], u[N];
    both(t, u);
    out[0] = count(N);
    out[1] = find(t, u[0]);
    int (*action)(int) = sensor;
    out[2] = action(1);
    goto end;
end:
    out[3] = 0;
}
