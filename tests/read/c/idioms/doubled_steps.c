// cells: buf=16
#define N 8
void scan(const int in[N], int out[N])
{
    int buf[2][N];
    int cur = 0;
    for (int i = 0; i < N; i++) buf[0][i] = in[i];
    for (int d = 1; d < N; d *= 2) {
        for (int i = 0; i < N; i++)
            buf[1 - cur][i] = i >= d ? buf[cur][i] + buf[cur][i - d] : buf[cur][i];
        cur = 1 - cur;
    }
    for (int i = 0; i < N; i++) out[i] = buf[cur][i];
}
