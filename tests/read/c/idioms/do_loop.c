// cells: t=1
#define N 16
void f(const int in[N], int out[N])
{
    int t[N];
    int i = 0;
    do {
        t[i] = in[i] * 3;
        out[i] = t[i];
        i++;
    } while (i < N);
}
