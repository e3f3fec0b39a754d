#include <ap_int.h>
#define H 12
#define W 16
typedef ap_uint<8> pixel;
// two nests
void gauss(const pixel in[H][W], pixel out[H - 2][W - 2]) {
    pixel tmp[H][W - 2];
rows:
    for (int y = 0; y < H; y++)
        for (int x = 1; x < W - 1; x++) {
#pragma HLS PIPELINE II=1
            tmp[y][x - 1] = (in[y][x - 1] + 2 * in[y][x] + in[y][x + 1]) >> 2;
        }
    for (int y = 1; y < H - 1; y++)
        for (int x = 0; x < W - 2; x++) {
#pragma HLS PIPELINE II=1
            // three taps, one column
            out[y - 1][x] = (tmp[y - 1][x] + 2 * tmp[y][x] + tmp[y + 1][x]) >> 2;
        }
}
