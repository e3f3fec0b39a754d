// Types and functions of vendors' libraries, by their own names; hls_vector.h is not here.
#include "ap_axi_sdata.h"
#include "hls_vector.h"
#include <ap_fixed.h>
#include <hls_math.h>
#include <hls_stream.h>
typedef ap_axiu<8, 1, 1, 1> beat;
typedef hls::axis<int, 0, 0, 0> word;
static float root(float x) { return hls::sqrt(x) + std::max(x, 1.0f) + hls::abs(x) + sqrtf(x); }
void top(hls::stream<beat> &in, hls::vector<int, 4> *out, tapa::mmap<float> more, xf::cv::Mat<0> m) {
    half small = 1;
    ac_int<7, false> seven = 2;
    int half = 3, task = 4;
    for (int i = 0; i < 8; i++) out[i] = ap_fixed<8, 4>(in.read()) + half * task;
}
