// plan: --param n=5
// cells: word=1
void unpacked(int n, const int in[restrict n], int out[restrict 4 * n], int rows[restrict 6 * n])
{
    int word, taken = 0, block = 0, column = 0, given = 0;
    unsigned o = 0, idle = 0;
    int ring[2][3];
    for (int t = 0; t < 4 * n; t++) {
        if (o == 0)
            word = in[taken++];
        out[t] = word >> (8 * o);
        o++;
        if (o == 4)
            o = 0;
    }
    for (int image = 0; image < n; image++) {
        for (int i = 0; i < 9; i++) {
            if (i < 6) {
                ring[block][column] = in[image] * i;
                column++;
                if (column == 3) {
                    column = 0;
                    idle = 0;
                    block = 1 - block;
                }
            }
            if (i >= 3)
                rows[given++] = ring[idle < 2 ? 1 - block : block][i % 3];
            idle++;
            if (idle == 4)
                idle = 0;
        }
    }
}
