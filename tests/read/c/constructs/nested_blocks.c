// plan: --param N=8
#define N 8
void nested_blocks(const int in[N], int out[N])
{
    int t = 1;
    {
        int x[N];
#pragma scop
        for (int i = 0; i < N; i++) {
            {
                int t = in[i];
                {
                    int t = 2 * i;
                    x[i] = t;
                }
                x[i] += t;
                ;
            }
            { }
            x[i] += t;
        }
        {
            for (int i = 0; i < N; i++)
                out[i] = x[N - 1 - i];
        }
#pragma endscop
    }
    out[0] += t;
}
