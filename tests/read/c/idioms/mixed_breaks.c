// cells: t=8, s=1, T0=7, T1=7
// Of breaks that stand together, those on indices bound the loop, and data end it before.
void mixed_breaks(const int in[8][8], int out[8], int last[8])
{
    int t[8] = {0};
    for (int i = 0; i < 8; i++) {
        int s = 0;
        for (int j = 0; j < 8; j++) {
            if (in[i][j] < 0)
                break;
            if (j > i)
                break;
            s += in[i][j];
            if (j == 5 && i > 6)
                break;
            t[j] = s;
        }
        out[i] = s;
    }
    for (int j = 8 - 1; j >= 0; j--) {
        if (t[j] > 3)
            break;
        last[j] = t[j];
        if (j < 2)
            break;
    }
}
