// plan: --param n=5
// cells: t=25
// Loops to n * n are planned at the value of n, and so is what n turns round.
void walked_square(int n, const int in[64], int out[64])
{
    int t[8][8];
    int i = 0, j = 0;
    for (int k = 0; k < n * n; k++) {
        t[i][j] = in[k];
        j++;
        if (j == n) {
            j = 0;
            i++;
        }
    }
    for (int k = 0; k < n * n; k++)
        out[k] = t[k % n][k / n];
}
