#include "ap_int.h"
#define N 24
void odd(ap_int<12> in[N], ap_uint<6> out[N], ap_uint<4> count[8]) {
    ap_uint<3> t[N];
    ap_uint<4> bins[8] = {0};
    for (int i = 0; i < N; i++) t[i] = in[i] * 5 + 3;
    for (int i = 0; i < N; i++) {
        ap_uint<3> at = in[i] + 1;
        bins[at]++;
        count[t[i]] += 1;
    }
    for (int i = 0; i < N; i++) {
        ap_uint<3> at = in[i];
        out[i] = bins[at] + t[i];
    }
}
