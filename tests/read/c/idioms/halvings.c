// cells: v=1, steps=1, T0=8, T1=1
#define N 16
void f(const unsigned char in[N], int out[N])
{
    for (int i = 0; i < N; i++) {
        int v = in[i], steps = 0;
#pragma hlsmem trips(7)
        while (v > 1) {
            v = v / 2;
            steps++;
        }
        out[i] = steps;
    }
}
