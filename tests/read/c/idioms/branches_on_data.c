// cells: t=3, best=1, at=1, count=1, v=1, T0=1, T1=1, d=1
#define N 16
void multi(const short in[N], int out[N], int stats[3])
{
    int t[N];
    int best = -1000, at = 0, count = 0;
    for (int i = 0; i < N; i++) {
        int v = in[i] - 400;
        t[i] = v;
        if (v > best) {
            best = v;
            at = i;
        } else if (in[i] < 300) {
            int d = v * 2;
            count++;
            out[i] = d;
        } else {
            for (int k = 0; k < 2; k++)
                if (i >= 2)
                    out[i - k] = t[i - 2];
        }
    }
    stats[0] = best;
    stats[1] = at;
    stats[2] = count;
}
