/* Figure 3b: a value is taken by the next statement. */
void soon(int N, const int in[N], int out[N])
{
    int s[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        s[i] = 2 * in[i];
        out[i] = s[i] + 1;
    }
#pragma endscop
}
