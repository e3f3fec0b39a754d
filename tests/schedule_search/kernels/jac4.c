#define N 512

void jac4(const float in[N][N], float out[N][N])
{
    float a[N][N], b[N][N], c[N][N];
#pragma scop
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++)
S0:         a[y][x] = (in[y - 1][x] + in[y][x - 1] + in[y][x + 1] + in[y + 1][x]) / 4;
    for (int y = 2; y < N - 2; y++)
        for (int x = 2; x < N - 2; x++)
S1:         b[y][x] = (a[y - 1][x] + a[y][x - 1] + a[y][x + 1] + a[y + 1][x]) / 4;
    for (int y = 3; y < N - 3; y++)
        for (int x = 3; x < N - 3; x++)
S2:         c[y][x] = (b[y - 1][x] + b[y][x - 1] + b[y][x + 1] + b[y + 1][x]) / 4;
    for (int y = 4; y < N - 4; y++)
        for (int x = 4; x < N - 4; x++)
S3:         out[y][x] = (c[y - 1][x] + c[y][x - 1] + c[y][x + 1] + c[y + 1][x]) / 4;
#pragma endscop
}
