#include <ap_int.h>
#include <hls_stream.h>
#include <cstdint>
#define H 24
#define W 32
typedef ap_uint<8> pix_t;
using sum_t = ap_uint<10>;
static const int K = 2;

static void hblur(pix_t in[H][W], sum_t t[H][W]) {
    for (int y = 0; y < H; y++) {
        for (int x = 1; x < W - 1; x++) {
#pragma HLS PIPELINE II=1
            t[y][x] = in[y][x - 1] + 2 * in[y][x] + in[y][x + 1];
        }
    }
}

static void vblur(sum_t (&t)[H][W], pix_t out[H][W]) {
    for (int y = 1; y < H - 1; y++)
        for (int x = 1; x < W - 1; x++) {
#pragma HLS PIPELINE II=1
            ap_uint<12> s = t[y - 1][x] + 2 * t[y][x] + t[y + 1][x];
            out[y][x] = static_cast<pix_t>(s >> 4);
        }
}

void blur(pix_t in[H][W], pix_t out[H][W]) {
#pragma HLS INTERFACE axis port=in
#pragma HLS DATAFLOW
    sum_t t[H][W];
#pragma HLS STREAM variable=t depth=2
    hblur(in, t);
    vblur(t, out);
}
