#include "ap_int.h"
#include "hls_stream.h"
#define N 24
typedef ap_int<12> word;
static void smooth(hls::stream<word> &in, hls::stream<word> &mid) {
    word a = 0, b = 0;
    for (int i = 0; i < N; i++) {
#pragma HLS PIPELINE II=1
        word c = in.read();
        mid.write((a + 2 * b + c) >> 2);
        a = b;
        b = c;
    }
}
ap_uint<6> top(hls::stream<word, N / 6> &in, hls::stream<ap_int<14> > &out, const word (&gain)[3], ap_uint<4> &last, int shift) {
#pragma HLS DATAFLOW
#pragma HLS INTERFACE axis port=in
    hls::stream<word> mid;
#pragma HLS STREAM variable=mid depth=2
    smooth(in, mid);
    ap_uint<6> n = 0;
    for (int i = 0; i < N; i++) {
        word x;
        mid >> x;
        out << x * gain[1] + (shift & 3);
        n++;
        last = x;
    }
    return n;
}
