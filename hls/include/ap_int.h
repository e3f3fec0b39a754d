/* AMD's ap_int and ap_uint; ap_fixed and ap_ufixed, which users name without ap_fixed.h. */
#ifndef HLSMEM_AP_INT_H
#define HLSMEM_AP_INT_H
#include "hls_half.h"
#include "hlsmem_number.h"

template <int W_> using ap_int = hlsmem::integer<W_, true>;
template <int W_> using ap_uint = hlsmem::integer<W_, false>;

typedef hlsmem::rounding ap_q_mode;
typedef hlsmem::overflow ap_o_mode;
constexpr ap_q_mode AP_TRN = hlsmem::trn, AP_TRN_ZERO = hlsmem::trn_zero, AP_RND = hlsmem::rnd,
                    AP_RND_ZERO = hlsmem::rnd_zero, AP_RND_MIN_INF = hlsmem::rnd_min_inf,
                    AP_RND_INF = hlsmem::rnd_inf, AP_RND_CONV = hlsmem::rnd_conv;
constexpr ap_o_mode AP_WRAP = hlsmem::wrap, AP_SAT = hlsmem::sat, AP_SAT_ZERO = hlsmem::sat_zero,
                    AP_SAT_SYM = hlsmem::sat_sym, AP_WRAP_SM = hlsmem::wrap_sm;
#include "ap_fixed.h" /* which the vendor has in this header, too */
#endif
