#include "ap_int.h"
#include "hls_stream.h"
const int N = 16;
typedef ap_int<12> word;
struct pair { word a; ap_uint<4> b; };

static void scale(word gain, word x, word &out, ap_uint<5> &count) {
    out = gain * x;
    count++;
}
static void first(word in[N], hls::stream<word> &s) {
    for (int i = 0; i < N; i++) s.write(in[i]);
}
static void second(hls::stream<word>& s, hls::stream<word> &u) {
    word last = 0;
    for (int i = 0; i < N; i++) {
#pragma HLS PIPELINE
        word x = s.read();
        word y;
        ap_uint<5> c = 3;
        scale(word(3), x, y, c);
        u << (i > 0 ? word(y - last) : word(y));
        last = x;
    }
}
void top(word in[N], ap_int<20> out[N]) {
#pragma HLS DATAFLOW
    hls::stream<word> s("s"), u("u");
#pragma HLS STREAM variable=s depth=4
    first(in, s);
    second(s, u);
    for (ap_uint<5> i = 0; i < N; i++) out[i] = u.read() << 2;
}
int main() { return 0; }
