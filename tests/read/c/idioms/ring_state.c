// cells: ring=8, at=1, t=20
#define N 20
void f(const short in[N], short out[N])
{
    static short ring[8] = {1, 2, 3};
    static unsigned char at = 5;
    short t[N];
    for (int i = 0; i < N; i++)
        t[i] = in[i] / 2;
    for (int i = 1; i < N; i++) {
        ring[at & 7] = t[i] - t[i - 1];
        at = at + 1;
        out[i] = ring[at & 7];
    }
}
