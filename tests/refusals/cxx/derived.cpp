#include <ap_int.h>
template <int w> class lfsr : public ap_uint<w> {
public:
    using ap_uint<w>::ap_uint;
    lfsr &operator++() { this->set_bit(0, (*this & ap_uint<16>(0x2d)).xor_reduce()); this->rrotate(1); return *this; }
};
void top(int out[16]) {
    lfsr<16> x = 0xbeefu;
    for (int i = 0; i < 16; i++) { ++x; out[i] = x & 0xff; }
}
