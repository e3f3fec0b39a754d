#define W 128
#define H 24

typedef unsigned char pixel;

/* Sharper than it was: three times a pixel less twice the mean around it. */
void unsharp(const pixel in[H][W], pixel out[H][W]) {
    pixel b[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            if (y >= 2 && x >= 2) {
B:              b[y - 1][x - 1] = (in[y - 2][x - 2] + in[y - 2][x - 1] + in[y - 2][x]
                                 + in[y - 1][x - 2] + in[y - 1][x - 1] + in[y - 1][x]
                                 + in[y][x - 2] + in[y][x - 1] + in[y][x]) / 9;
S:              out[y - 1][x - 1] = 3 * in[y - 1][x - 1] - 2 * b[y - 1][x - 1];
            }
#pragma endscop
}
