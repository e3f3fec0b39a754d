// plan: --set arrays.out.storage=memory
// cells: out=16
#define N 16
void scat(const unsigned char in[N], int out[N])
{
    for (int i = 0; i < N; i++)
        out[in[i] % N] = i;
}
