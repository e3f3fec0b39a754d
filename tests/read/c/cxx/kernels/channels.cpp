#include "ap_int.h"
#include "hls_np_channel.h"
#define L 8
#define N (3 * L)
struct pixel { short r; ap_uint<5> g; };
static void deal(const int in[N], hls::stream<int> &to) {
    for (int i = 0; i < N; i++) to.write(in[i]);
}
static void scale(hls::stream<int> &from, hls::stream<pixel> &to, int by) {
#pragma HLS STREAM variable=from depth=8
    for (int i = 0; i < L; i++) {
        pixel one;
        one.r = from.read() * by;
        one.g = by * i;
        to.write(one);
    }
}
static void lanes(hls::stream<int> (&from)[3], hls::stream<pixel> (&to)[3]) {
    for (int k = 0; k < 3; k++) scale(from[k], to[k], k + 2);
}
void top(const int in[N], int out[N + 3]) {
#pragma HLS DATAFLOW
    hls::split::round_robin<int, 3, 4, 8> before("before"), after;
    hls::merge::round_robin<pixel, 3> join;
#pragma HLS STREAM variable=before.in depth=8
    deal(in, before.in);
    lanes(before.out, join.in);
    for (int i = 0; i < N; i++) {
        pixel one = join.out.read();
        after.in << (one.r ^ (int)one.g);
    }
    for (int i = 0; i < L; i++)
        out[i] = after.out[2].read() - after.out[0].read();
    hls::stream<int> &middle = after.out[1];
    for (int i = L; i < 2 * L; i++) out[i] = middle.read();
}
