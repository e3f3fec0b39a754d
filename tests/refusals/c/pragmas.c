static void twice(int to[8], const int from[8])
{
#pragma HLS ARRAY_PARTITION variable=too complete
    for (int i = 0; i < 8; i++)
        to[i] = 2 * from[i];
}
void f(const int in[8], int out[8])
{
#pragma HLS UNROLL factor=2
#pragma HLS STREAM depth=4
    int t[8];
    twice(t, in);
    for (int i = 0; i < 8; i++)
        out[i] = t[i];
}
