// plan: --set kernel.trips.halve=4
// cells: sorted=16, low=1, high=1, T0=5, T1=1, T2=1
#define N 16
void find(const short table[N], const short in[N], short out[N])
{
    short sorted[N];
    for (int i = 0; i < N; i++)
        sorted[i] = table[i];
    for (int i = 0; i < N; i++) {
        int low = 0, high = N - 1;
halve:
        while (low < high) {
            int middle = (low + high) / 2;
            if (sorted[middle] < in[i])
                low = middle + 1;
            else
                high = middle;
        }
        out[i] = low;
    }
}
