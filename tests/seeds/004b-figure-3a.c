/* Figure 3a: all values are made before the first is taken. */
void late(int N, const int in[N], int out[N])
{
    int s[N];
#pragma scop
    for (int i = 0; i < N; i++)
        s[i] = 2 * in[i];
    for (int j = 0; j < N; j++)
        out[j] = s[j] + 1;
#pragma endscop
}
