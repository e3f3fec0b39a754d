// cells: count=16, start=16, at=1
#define N 16
/* counting sort with prefix sums and a scatter */
void sort(const unsigned char key[N], unsigned char out[N])
{
    int count[16], start[16];
    for (int k = 0; k < 16; k++)
        count[k] = 0;
    for (int i = 0; i < N; i++)
        count[key[i] & 15] += 1;
    start[0] = 0;
    for (int k = 1; k < 16; k++)
        start[k] = start[k - 1] + count[k - 1];
    for (int i = 0; i < N; i++) {
        int at = start[key[i] & 15];
        out[at % N] = key[i];
        start[key[i] & 15]++;
    }
}
