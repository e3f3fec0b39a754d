#include <stdint.h>
#include <stdlib.h>

#define H 480
#define W 640

/* Edges of an image as HLS sources have them: two line buffers and a window, shifted by hand. */
void edges(const uint8_t in[H][W], uint8_t out[H][W])
{
#pragma HLS INTERFACE axis port=in
#pragma HLS INTERFACE axis port=out
    uint8_t lines[2][W];
    uint8_t w[3][3];
#pragma HLS ARRAY_PARTITION variable=lines complete dim=1
#pragma HLS ARRAY_PARTITION variable=w complete dim=0
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
#pragma HLS PIPELINE II=1
            uint8_t pixel = in[y][x];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 2; j++)
                    w[i][j] = w[i][j + 1];
            w[0][2] = lines[0][x];
            w[1][2] = lines[1][x];
            w[2][2] = pixel;
            lines[0][x] = lines[1][x];
            lines[1][x] = pixel;
            if (y >= 2 && x >= 2)
                out[y][x] = (abs(w[0][0] + 2 * w[1][0] + w[2][0] - w[0][2] - 2 * w[1][2] - w[2][2])
                             + abs(w[0][0] + 2 * w[0][1] + w[0][2] - w[2][0] - 2 * w[2][1] - w[2][2])) / 8;
            else
                out[y][x] = 0;
        }
}
