#define B 4
#define N 64

typedef unsigned short pixel;

/* Blocks that come row by row and leave column by column, each while the next one comes. */
void blocks(const pixel in[B][N][N], pixel out[B][N][N])
{
    pixel t[B][N][N];
#pragma scop
    for (int b = 0; b <= B; b++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                if (b >= 1)
R:                  out[b - 1][y][x] = t[b - 1][x][y];
                if (b < B)
L:                  t[b][y][x] = in[b][y][x];
            }
#pragma endscop
}
