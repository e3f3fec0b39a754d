// cells: s=32
#define N 32
static int median3(int a, int b, int c)
{
    if (a > b) { int t = a; a = b; b = t; }
    if (b > c) { int t = b; b = c; c = t; }
    if (a > b) { int t = a; a = b; b = t; }
    return b;
}
void medfilt(const int in[N], int out[N])
{
    int s[N];
    for (int i = 0; i < N; i++) s[i] = in[i] * 2;
    out[0] = s[0];
    for (int i = 1; i < N - 1; i++)
        out[i] = median3(s[i - 1], s[i], s[i + 1]);
    out[N - 1] = s[N - 1];
}
