#include <ap_int.h>
#include <cmath>
typedef ap_int<40> wide;
void top(wide a[8], ap_uint<64> b[8], float c[8], ap_int<12> d[8], int n, ap_int<64> out[8]) {
    for (ap_uint<3> i = 0; i < 8; i++) {
        out[i] = a[i] * a[i];
        out[i] = b[i] < d[i];
        out[i] = c[i] * d[i];
        d[i] = c[i];
        out[i] = d[i] << n;
        out[i] = d[i][3];
        out[i] = d[i].range(7, 0);
        c[i] = sqrtf(d[i]);
        out[i] = n > 2 ? a[i] : d[i];
        out[d[i]++] = 1;
    }
}
