// cells: sums=4, image=64
#define N 8
void f(const int in[N][N], int out[N][N])
{
    int sums[4] = {0};
    static const int taps[5] = {1, 2, 3};
    int image[N][N] = {{0}};
    for (int y = 0; y < N; y++)
        for (int x = 1; x < N - 1; x++) {
            image[y][x] = in[y][x] * taps[x % 5];
            sums[x % 4] += image[y][x];
        }
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            out[y][x] = image[N - 1 - y][x] + sums[x % 4];
}
