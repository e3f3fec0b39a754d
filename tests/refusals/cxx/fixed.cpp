#include <ap_fixed.h>
#include <ap_int.h>
void top(ap_fixed<16, 8> in[8], ap_int<65> wide[8], ap_uint<0> none[8], ap_int<M> some[8]) {
    for (int i = 0; i < 8; i++)
        in[i] = wide[i] + none[i] + some[i];
}
