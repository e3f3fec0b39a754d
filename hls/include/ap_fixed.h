/* AMD's ap_fixed and ap_ufixed. */
#ifndef HLSMEM_AP_FIXED_H
#define HLSMEM_AP_FIXED_H
#include "ap_int.h"

typedef hlsmem::rounding ap_q_mode;
typedef hlsmem::overflow ap_o_mode;
constexpr ap_q_mode AP_TRN = hlsmem::TRN, AP_TRN_ZERO = hlsmem::TRN_ZERO, AP_RND = hlsmem::RND,
                    AP_RND_ZERO = hlsmem::RND_ZERO, AP_RND_MIN_INF = hlsmem::RND_MIN_INF,
                    AP_RND_INF = hlsmem::RND_INF, AP_RND_CONV = hlsmem::RND_CONV;
constexpr ap_o_mode AP_WRAP = hlsmem::WRAP, AP_SAT = hlsmem::SAT, AP_SAT_ZERO = hlsmem::SAT_ZERO,
                    AP_SAT_SYM = hlsmem::SAT_SYM, AP_WRAP_SM = hlsmem::WRAP_SM;

namespace hlsmem {
template <int N> struct saturated {
    static_assert(N == 0, "saturated bits of a number that wraps are not read: leave N out");
    static constexpr bool sign = true;
};
}
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0>
using ap_fixed = hlsmem::fixed<W, I, hlsmem::saturated<N>::sign, Q, O>;
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP, int N = 0>
using ap_ufixed = hlsmem::fixed<W, I, !hlsmem::saturated<N>::sign, Q, O>;
#endif
