#define W 8
void f(const int in[4][W], int out[4][W])
{
    int window[3], line[W];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < W; x++) {
            window[0] = window[1];
            window[1] = window[2];
            window[2] = in[y][x];
            out[y][x] = window[0] + window[2] + line[x];
            line[x] = in[y][x];
        }
}
