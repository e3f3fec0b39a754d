// cells: hist=64, sum=1
#define N 16
#define BINS 64
void ranks(const unsigned char in[N], unsigned out[BINS])
{
    unsigned hist[BINS] = {0};
    unsigned sum = 0;
    for (int i = 0; i < N; i++) hist[in[i] >> 2]++;
    for (int b = 0; b < BINS; b++) {
        sum += hist[b];
        out[b] = sum;
    }
}
