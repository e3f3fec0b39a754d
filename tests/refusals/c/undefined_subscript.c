#define N 16
/* What chooses an element was never written. */
void f(const unsigned char in[N], int out[N])
{
    unsigned char t[N];
    int squares[256];
    for (int i = 0; i < 256; i++)
        squares[i] = i * i;
    for (int i = 0; i < N - 1; i++) {
        t[i] = in[i];
        out[i] = squares[t[i + 1]];
    }
}
