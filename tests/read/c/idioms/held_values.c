// cells: in=1, held=12, seen=1
#define N 12
static short held[N], seen[N];
void f(const short in[N], short out[N])
{
    for (int i = 0; i < N; i++) {
        if (in[i] > 0)
            held[i] = in[i];
        if (in[i] > 0)
            seen[i] = in[i] + 1;
        out[i] = held[i];
        if (in[i] > 2)
            out[i] += seen[i];
    }
}
