// cells: v=3, T0=1, t=1, T1=1, t_2=1, T2=1, t_3=1
#define N 8
#define SORT(a, b) do { if (v[a] > v[b]) { int t = v[a]; v[a] = v[b]; v[b] = t; } } while (0)
void medians(const int in[N], int out[N])
{
    for (int i = 2; i < N; i++) {
        int v[3];
        for (int j = 0; j < 3; j++) v[j] = in[i - j];
        SORT(0, 1);
        SORT(1, 2);
        SORT(0, 1);
        out[i] = v[1];
    }
}
