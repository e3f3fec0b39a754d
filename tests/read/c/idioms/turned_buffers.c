// cells: buf=32
#define N 16
#define STEPS 6
void heat(const float in[N], float out[N])
{
    float buf[2][N];
    int cur = 0;
    for (int i = 0; i < N; i++)
        buf[0][i] = in[i];
    for (int s = 0; s < STEPS; s++) {
        for (int i = 1; i < N - 1; i++)
            buf[1 - cur][i] = 0.25f * buf[cur][i - 1] + 0.5f * buf[cur][i] + 0.25f * buf[cur][i + 1];
        buf[1 - cur][0] = buf[cur][0];
        buf[1 - cur][N - 1] = buf[cur][N - 1];
        cur = 1 - cur;
    }
    for (int i = 0; i < N; i++)
        out[i] = buf[cur][i];
}
