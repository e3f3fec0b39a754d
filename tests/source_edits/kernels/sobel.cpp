#include <ap_int.h>
#include <cstdlib>
const int ROWS = 24, COLS = 40;
typedef ap_uint<8> pixel;

void sobel(const pixel in[ROWS][COLS], pixel out[ROWS - 2][COLS - 2]) {
    int magnitude[ROWS - 2][COLS - 2];
gradients:
    for (int y = 1; y < ROWS - 1; y++)
        for (int x = 1; x < COLS - 1; x++) {
#pragma HLS PIPELINE II=2
            int gx = in[y - 1][x + 1] - in[y - 1][x - 1] + 2 * (in[y][x + 1] - in[y][x - 1])
                     + in[y + 1][x + 1] - in[y + 1][x - 1];
            int gy = in[y + 1][x - 1] - in[y - 1][x - 1] + 2 * (in[y + 1][x] - in[y - 1][x])
                     + in[y + 1][x + 1] - in[y - 1][x + 1];
            magnitude[y - 1][x - 1] = abs(gx) + abs(gy);
        }
thresholds:
    for (int y = 0; y < ROWS - 2; y++)
        for (int x = 0; x < COLS - 2; x++) {
#pragma HLS PIPELINE II=1
            out[y][x] = magnitude[y][x] > 200 ? 255 : 0;
        }
}
