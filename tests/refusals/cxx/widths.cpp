#include <ap_int.h>
#include <cmath>
void top(ap_int<40> a[8], ap_int<12> d[8], float c[8], int n, ap_int<64> out[8]) {
    for (ap_uint<3> i = 0; i < 8; i++)
        out[i] = a[i] * a[i];
    for (int i = 0; i < 8; i++) {
        out[i] = n > 2 ? a[i] : d[i];
        out[d[i]++] = 1;
    }
}
