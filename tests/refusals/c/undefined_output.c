#define H 8
#define W 6
#define K 3
/* The first row that is written needs a row of the line buffer that is not filled yet. */
void f(const int src[H][W], int dst[H][W])
{
    int lines[K - 1][W];
    for (int row = 0; row < H; row++) {
        for (int col = 0; col < W; col++) {
            int newest = src[row][col] * 2;
            int sum = 0;
            for (int i = 0; i < K; i++) {
                int one = i < K - 1 ? lines[i][col] : newest;
                sum += one * (i + 1);
                if (i > 0)
                    lines[i - 1][col] = one;
            }
            if (row >= K - 2)
                dst[row - (K - 2)][col] = sum;
        }
    }
}
