// cells: s=1, T0=15, T1=1
#define N 16
void brk(const short in[N][N], int out[N])
{
    for (int y = 0; y < N; y++) {
        int s = 0;
        for (int x = 0; x < N; x++) {
            s += in[y][x];
            if (s > 3000) {
                s = -1;
                break;
            }
        }
        out[y] = s;
    }
}
