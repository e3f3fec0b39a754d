/* AMD's ap_fixed and ap_ufixed. */
#ifndef HLSMEM_AP_FIXED_H
#define HLSMEM_AP_FIXED_H
#include "ap_int.h"

namespace hlsmem {
template <int N> struct saturated {
    static_assert(N == 0, "saturated bits of a number that wraps are not read: leave them out");
    static constexpr bool sign = true;
};
}
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0>
using ap_fixed = hlsmem::fixed<W, I, hlsmem::saturated<N>::sign, Q, O>;
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0>
using ap_ufixed = hlsmem::fixed<W, I, !hlsmem::saturated<N>::sign, Q, O>;
#endif
