// cells: t=24, sum=1
#define N 12
void f(const short in[N], short out[N])
{
    short t[2][N];
    int now = 0;
    for (int i = 0; i < N; i++)
        t[now][i] = in[i];
    for (int k = 1; k < 4; k++) {
        for (int i = 0; i < N; i++)
            t[!now][i] = t[now][i] + (i > 0 ? t[now][i - 1] : 0);
        now = 1 - now;
    }
    int sum = 0;
    for (int i = 0; i < N; i++) {
        sum += t[now][i];
        out[i] = sum;
    }
}
