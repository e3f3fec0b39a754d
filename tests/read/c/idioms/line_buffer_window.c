// cells: src=35, dst=1
/* 3x3 box filter with line buffers and a window, one pixel in, one out */
#include <stdint.h>
#include <stdio.h>
#define WIDTH 16
#define HEIGHT 12

void box3x3(const uint8_t src[HEIGHT][WIDTH], uint8_t dst[HEIGHT][WIDTH])
{
#pragma HLS INTERFACE axis port=src
#pragma HLS INTERFACE axis port=dst
    uint8_t line_buf[2][WIDTH] = {{0}};
    uint8_t window[3][3] = {{0}};
#pragma HLS ARRAY_PARTITION variable=line_buf complete dim=1
#pragma HLS ARRAY_PARTITION variable=window complete dim=0

    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
#pragma HLS PIPELINE II=1
            uint8_t pix = src[y][x];
            for (int i = 0; i < 3; i++) {
#pragma HLS UNROLL
                window[i][0] = window[i][1];
                window[i][1] = window[i][2];
            }
            window[0][2] = line_buf[0][x];
            window[1][2] = line_buf[1][x];
            window[2][2] = pix;
            line_buf[0][x] = line_buf[1][x];
            line_buf[1][x] = pix;
            if (y >= 2 && x >= 2) {
                int sum = 0;
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        sum += window[i][j];
                dst[y][x] = sum / 9;
            } else {
                dst[y][x] = 0;
            }
        }
    }
}

int main(void)
{
    static uint8_t a[HEIGHT][WIDTH], b[HEIGHT][WIDTH];
    for (int i = 0; i < HEIGHT; i++)
        for (int j = 0; j < WIDTH; j++)
            a[i][j] = i * 7 + j;
    box3x3(a, b);
    printf("%d\n", b[4][4]);
    return 0;
}
