#include <ap_int.h>
#define W 64
#define H 48
typedef ap_uint<8> pixel;

void gauss(const pixel in[H][W], pixel out[H - 2][W - 2])
{
#pragma HLS INTERFACE ap_memory port = in
    pixel tmp[H][W];
rows:
    for (int y = 0; y < H; y++) {
        for (int x = 1; x < W - 1; x++) {
#pragma HLS PIPELINE II=1
            // three taps, one row
            tmp[y][x] = (in[y][x - 1] + 2 * in[y][x] + in[y][x + 1]) >> 2;
        }
    }
columns:
    for (int y = 1; y < H - 1; y++) {
        for (int x = 1; x < W - 1; x++) {
#pragma HLS PIPELINE II=1
            // three taps, one column
            out[y - 1][x - 1] = (tmp[y - 1][x] + 2 * tmp[y][x] + tmp[y + 1][x]) >> 2;
        }
    }
}
