#define N 64

/* One signal, two consumers at different distances: an echo and a difference. */
void two_consumers(const short in[N + 24], short echo[N], short change[N])
{
    short smooth[N + 24];
#pragma scop
    for (int i = 0; i < N + 24; i++) {
Make:   smooth[i] = (in[i] + (i >= 1 ? in[i - 1] : 0)) / 2;
        if (i >= 24)
Echo:       echo[i - 24] = smooth[i] + smooth[i - 24] / 2;
        if (i >= 3 && i < N + 3)
Change:     change[i - 3] = smooth[i] - smooth[i - 3];
    }
#pragma endscop
}
