#define K 64
#define B 256

/* K diamond tiles of a 3-point heat equation in a row: the lower edges of a tile, two points wide,
 * come from the tiles below it, its upper edges go to those above. */
void diamond(const double below[K][B][4], double above[K][B][4])
{
    double a[K][2 * B - 1][2 * B - 1];
#pragma scop
    for (int k = 0; k < K; k++) {
        a[k][0][B - 1] = below[k][0][0];
        for (int t = 1; t < B; t++) {
            a[k][t][B - 1 - t] = below[k][t][0];
            a[k][t][B - t] = below[k][t][1];
            for (int i = B + 1 - t; i < B + t - 2; i++)
                a[k][t][i] = 0.25 * a[k][t - 1][i - 1] + 0.5 * a[k][t - 1][i] + 0.25 * a[k][t - 1][i + 1];
            if (t >= 2)
                a[k][t][B + t - 2] = below[k][t][2];
            a[k][t][B + t - 1] = below[k][t][3];
        }
        for (int t = B; t < 2 * B - 1; t++)
            for (int i = t - B + 1; i < 3 * B - 2 - t; i++)
                a[k][t][i] = 0.25 * a[k][t - 1][i - 1] + 0.5 * a[k][t - 1][i] + 0.25 * a[k][t - 1][i + 1];
        for (int t = B - 1; t < 2 * B - 1; t++) {
            above[k][t - B + 1][0] = a[k][t][t - B + 1];
            if (t < 2 * B - 2) {
                above[k][t - B + 1][1] = a[k][t][t - B + 2];
                above[k][t - B + 1][2] = a[k][t][3 * B - 4 - t];
            }
            above[k][t - B + 1][3] = a[k][t][3 * B - 3 - t];
        }
    }
#pragma endscop
}
