// plan: --param n=9 --param m=3
// cells: late=9, soon=9, few=3
void delayed(int n, int m, const int in[restrict n], int out[restrict n], int rest[restrict n])
{
    int late[n], soon[n], few[m];
    int written = 0, taken = 0, read = 0, count = 0;
    for (int i = 0; i < n; i++) {
        late[written] = in[i];
        soon[written] = in[i] * 2;
        written++;
    }
    while (taken < written && read < written) {
        int before = 0;
        if (count >= 5)
            before = late[taken++];
        out[read] = before + soon[read];
        read++;
        if (count < 5)
            count++;
    }
    for (int i = 0; i < m; i++)
        few[i] = in[i];
    int at = 0, filled = 0;
    for (int i = 0; at < m && i < n; i++) {
        rest[i] = few[at];
        if (filled == 2)
            at++;
        else
            filled++;
    }
}
