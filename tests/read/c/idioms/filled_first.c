// plan: --param n=13
// cells: t=5
// Each branch leaves what the other steps: reads end before the loop does, writes begin later.
void filled_first(int n, const int in[9], int out[restrict n])
{
    int t[n];
    int taken = 0, given = 0;
    for (int i = 0; i < n; i++) {
        t[i] = 0;
        if (i < 9)
            t[i] = in[taken++];
        if (i < 4)
            continue;
        out[given++] = t[i] - t[i - 4];
    }
}
