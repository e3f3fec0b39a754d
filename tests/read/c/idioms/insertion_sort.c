// cells: t=16, j=1, T0=17, T1=1
#define N 16
void sort(const int in[N], int out[N])
{
    int t[N];
    t[0] = in[0];
    for (int i = 1; i < N; i++) {
        int j = i;
#pragma hlsmem trips(16)
        while (j > 0 && t[j - 1] > in[i]) {
            t[j] = t[j - 1];
            j--;
        }
        t[j] = in[i];
    }
    for (int i = 0; i < N; i++)
        out[i] = t[i];
}
