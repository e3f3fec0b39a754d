// cells: best=1, least=1, distance_2=1, d_2=1, T0=1
#define P 6
#define C 3
#define D 2
static int distance(const short a[D], const short b[D])
{
    int d = 0;
    for (int k = 0; k < D; k++) d += (a[k] - b[k]) * (a[k] - b[k]);
    return d;
}
void nearest(const short points[P][D], const short centres[C][D], unsigned char label[P])
{
    for (int p = 0; p < P; p++) {
        int best = 0, least = 1 << 30;
        for (int c = 0; c < C; c++) {
            int d = distance(points[p], centres[c]);
            if (d < least) {
                least = d;
                best = c;
            }
        }
        label[p] = best;
    }
}
