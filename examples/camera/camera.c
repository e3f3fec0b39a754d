#define W 1928
#define H 16

typedef unsigned short pixel;

/* Four stages of a camera pipe, of which the last one looks back at the second. */
void camera(const pixel in[H][W], pixel out[H][W]) {
    pixel d[H][W], m[H][W], bx[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            if (y >= 4 && x >= 4)
D:              d[y][x] = (in[y - 4][x - 4] + in[y - 4][x - 3] + in[y - 4][x - 2] + in[y - 4][x - 1] + in[y - 4][x]
                         + in[y - 3][x - 4] + in[y - 3][x - 3] + in[y - 3][x - 2] + in[y - 3][x - 1] + in[y - 3][x]
                         + in[y - 2][x - 4] + in[y - 2][x - 3] + in[y - 2][x - 2] + in[y - 2][x - 1] + in[y - 2][x]
                         + in[y - 1][x - 4] + in[y - 1][x - 3] + in[y - 1][x - 2] + in[y - 1][x - 1] + in[y - 1][x]
                         + in[y][x - 4] + in[y][x - 3] + in[y][x - 2] + in[y][x - 1] + in[y][x]) / 25;
            if (y >= 6 && x >= 6)
M:              m[y][x] = (d[y - 2][x - 2] + d[y - 2][x - 1] + d[y - 2][x]
                         + d[y - 1][x - 2] + d[y - 1][x - 1] + d[y - 1][x]
                         + d[y][x - 2] + d[y][x - 1] + d[y][x]) / 9;
            if (y >= 6 && x >= 8)
X:              bx[y][x] = (m[y][x - 2] + m[y][x - 1] + m[y][x]) / 3;
            if (y >= 8 && x >= 8)
Y:              out[y][x] = (bx[y - 2][x] + bx[y - 1][x] + bx[y][x]) / 3 - m[y - 2][x - 2];
        }
#pragma endscop
}
