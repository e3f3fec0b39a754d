#include <ap_fixed.h>
void top(ap_fixed<16, 8> in[8], ap_fixed<16, 8> out[8], ap_int<300> wide[8], int n) {
    for (int i = 0; i < 8; i++) {
        wide[i] = wide[i] * wide[7 - i];
        out[i] = in[i] << -2;
        out[i] = in[i].range(n, i);
    }
}
