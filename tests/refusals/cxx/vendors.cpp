// Cores of vendors that are known and not read.
#include "hls_fft.h"
#include <hls_stream.h>
struct config : hls::ip_fft::params_t {};
void top(hls::stream<int> &in, int out[8]) {
    for (int i = 0; i < 8; i++)
        out[i] = in.read();
}
