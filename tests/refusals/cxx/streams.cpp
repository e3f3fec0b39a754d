#include <hls_stream.h>
hls::stream<int> shared;
static int first(hls::stream<int> lanes[2], int k) { return lanes[k].read(); }
void top(hls::stream<int> &in, int out[8]) {
    hls::stream<int> lanes[2];
    for (int i = 0; i < 8; i++) {
        shared.write(in.read());
        out[i] = first(lanes, i % 2);
    }
}
