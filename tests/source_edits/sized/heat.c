#define N 200
#define T 16

void heat(const int in[N], int out[N])
{
    int t[T][N];
    for (int i = 0; i < N; i++)
        t[0][i] = in[i];
    for (int s = 1; s < T; s++)
        for (int i = s; i < N - s; i++)
            t[s][i] = (t[s - 1][i - 1] + t[s - 1][i] + t[s - 1][i + 1]) / 3;
    for (int i = T - 1; i < N - T + 1; i++)
        out[i] = t[T - 1][i];
}
