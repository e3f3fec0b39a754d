/* AMD's ap_fixed and ap_ufixed. */
#ifndef HLSMEM_AP_FIXED_H
#define HLSMEM_AP_FIXED_H
#include "ap_int.h"

namespace hlsmem {
template <int N_> struct saturated {
    static_assert(N_ == 0, "saturated bits of a number that wraps are not read: leave them out");
    static constexpr bool sign = true;
};
}
template <int W_, int I_, ap_q_mode Q_ = AP_TRN, ap_o_mode O_ = AP_WRAP, int N_ = 0>
using ap_fixed = hlsmem::fixed<W_, I_, hlsmem::saturated<N_>::sign, Q_, O_, N_>;
template <int W_, int I_, ap_q_mode Q_ = AP_TRN, ap_o_mode O_ = AP_WRAP, int N_ = 0>
using ap_ufixed = hlsmem::fixed<W_, I_, !hlsmem::saturated<N_>::sign, Q_, O_, N_>;
#endif
