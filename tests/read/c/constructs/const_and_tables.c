// plan: --param N=8 --set 'context="[N] -> { : N >= 3 }"'
#define N 8
static const int TAPS[3] = {1, 2, 1};
enum { LEFT = 1, RIGHT };
const int offset = 5;
void const_and_tables(const int in[N], int out[N])
{
    static const float gains[] = {0.5f, 0.25f, 2};
    const int half = N / 2;
    int t[N];
#pragma scop
    for (int i = 0; i < N; i++)
        t[i] = in[i] * TAPS[i % 3];
    for (int i = LEFT; i < half - 1 + RIGHT; i++)
        out[i] = (int)(t[i] * gains[i % 3]) + t[i - LEFT] + offset;
#pragma endscop
}
