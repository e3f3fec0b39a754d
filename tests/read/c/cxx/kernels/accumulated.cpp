#include <ap_int.h>
#include <hls_stream.h>
#define R 12
#define C 12
static void scale(hls::stream<ap_uint<10> > &in, hls::stream<ap_uint<12> > &mid)
{
    for (int i = 0; i < R * C; i++) {
#pragma HLS PIPELINE II=1
        ap_uint<10> v = in.read();
        mid.write(v * 3);
    }
}
static void accumulate(hls::stream<ap_uint<12> > &mid, ap_uint<20> sums[C])
{
    ap_uint<20> acc[C];
#pragma HLS ARRAY_PARTITION variable=acc complete
    for (int c = 0; c < C; c++) acc[c] = 0;
    for (int r = 0; r < R; r++)
        for (int c = 0; c < C; c++) {
#pragma HLS PIPELINE II=1
            ap_uint<12> v;
            mid.read(v);
            acc[c] += v;
        }
    for (int c = 0; c < C; c++) sums[c] = acc[c];
}
void accumulated(hls::stream<ap_uint<10> > &in, ap_uint<20> sums[C])
{
#pragma HLS DATAFLOW
    hls::stream<ap_uint<12> > mid;
#pragma HLS STREAM variable=mid depth=2
    scale(in, mid);
    accumulate(mid, sums);
}
