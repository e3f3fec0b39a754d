#include <stdint.h>

#define W 64
#define H 32

/* Nine planes added: every array is read in the step that writes it. */
void nine(const int32_t in[9][H][W], int32_t out[H][W])
{
    int32_t f_0[H][W], f_1[H][W], f_2[H][W], f_3[H][W], f_4[H][W];
    int32_t f_5[H][W], f_6[H][W], f_7[H][W], f_8[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
F0:         f_0[y][x] = in[0][y][x];
F1:         f_1[y][x] = in[1][y][x];
F2:         f_2[y][x] = in[2][y][x];
F3:         f_3[y][x] = in[3][y][x];
F4:         f_4[y][x] = in[4][y][x];
F5:         f_5[y][x] = in[5][y][x];
F6:         f_6[y][x] = in[6][y][x];
F7:         f_7[y][x] = in[7][y][x];
F8:         f_8[y][x] = in[8][y][x];
C:          out[y][x] = f_0[y][x] + f_1[y][x] + f_2[y][x] + f_3[y][x] + f_4[y][x] + f_5[y][x] + f_6[y][x]
                        + f_7[y][x] + f_8[y][x];
        }
#pragma endscop
}
