#define K 65536
#define B 8

/* K parallelogram tiles of a 3-point heat equation: the lowest row and the left edge, two points
 * wide, come from the tiles before, the uppermost row and the right edge go to those behind. */
void parallelogram(const double below[K][B], const double left[K][B][2], double right[K][B][2], double above[K][B])
{
    double a[K][B][2 * B - 1];
#pragma scop
    for (int k = 0; k < K; k++) {
        for (int t = 0; t < B; t++) {
            a[k][t][B - 1 - t] = left[k][t][0];
            a[k][t][B - t] = left[k][t][1];
            for (int i = 2 - t; i < B - t; i++)
                if (t == 0)
                    a[k][t][i + B - 1] = below[k][i];
                else
                    a[k][t][i + B - 1] = 0.25 * a[k][t - 1][i + B - 2] + 0.5 * a[k][t - 1][i + B - 1] + 0.25 * a[k][t - 1][i + B];
        }
        for (int t = 0; t < B; t++)
            for (int i = B - 2 - t; i < B - t; i++)
                right[k][t][i + t - B + 2] = a[k][t][i + B - 1];
        for (int i = 1 - B; i < 1; i++)
            above[k][i + B - 1] = a[k][B - 1][i + B - 1];
    }
#pragma endscop
}
