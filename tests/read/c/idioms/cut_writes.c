// cells: t=31, p=1
// What is written under conditions on the loops is counted where they hold.
void cut_writes(const int in[12][16], int *restrict out, int *restrict mid, int left[2])
{
    int t[12][16];
    int p = 0, q = 0;
    for (int y = 0; y < 12; y++)
        for (int x = 0; x < 16; x++) {
            t[y][x] = in[y][x];
            if (x >= 3 && x < 11 && y < 7)
                mid[q++] = t[y][x];
            if (y < 2 || x < 2)
                continue;
            *out++ = t[y][x] + t[y - 2][x - 2];
            p++;
        }
    left[0] = p;
    left[q & 1] = q;
}
