// cells: h=256
#define N 64
void hist(const unsigned char in[N], int out[256])
{
    int h[256];
    for (int i = 0; i < 256; i++)
        h[i] = 0;
    for (int i = 0; i < N; i++)
        h[in[i]]++;
    for (int i = 0; i < 256; i++)
        out[i] = h[i];
}
