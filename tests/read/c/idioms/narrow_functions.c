// cells: t=2
#define N 16
static unsigned char magnitude(int v)
{
    if (v < 0)
        return -v;
    return v;
}

static int low(unsigned char v) { return v * 2; }

static int square(int v) { return v * v; }

void f(const int in[N], int out[3 * N])
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = in[i] + 1;
        if (i == 0)
            continue;
        out[3 * i] = magnitude(t[i]);
        out[3 * i + 1] = low(t[i - 1]);
        out[3 * i + 2] = square(t[i] / 1000);
    }
}
