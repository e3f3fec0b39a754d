// cells: u=1, v=1
#define N 12
void pick(const int a[N], const int b[N], unsigned char out[N])
{
    for (int i = 0; i < N; i++) {
        int u = a[i] + b[i];
        int v = a[i] - b[i];
        if (u > 7)
            out[i] = 1;
        else if (v > 5)
            out[i] = 2;
        else
            out[i] = 3;
    }
}
