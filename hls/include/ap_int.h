/* AMD's ap_int and ap_uint. */
#ifndef HLSMEM_AP_INT_H
#define HLSMEM_AP_INT_H
#include "hlsmem_number.h"

template <int W> using ap_int = hlsmem::integer<W, true>;
template <int W> using ap_uint = hlsmem::integer<W, false>;

typedef hlsmem::rounding ap_q_mode;
typedef hlsmem::overflow ap_o_mode;
constexpr ap_q_mode AP_TRN = hlsmem::TRN, AP_TRN_ZERO = hlsmem::TRN_ZERO, AP_RND = hlsmem::RND,
                    AP_RND_ZERO = hlsmem::RND_ZERO, AP_RND_MIN_INF = hlsmem::RND_MIN_INF,
                    AP_RND_INF = hlsmem::RND_INF, AP_RND_CONV = hlsmem::RND_CONV;
constexpr ap_o_mode AP_WRAP = hlsmem::WRAP, AP_SAT = hlsmem::SAT, AP_SAT_ZERO = hlsmem::SAT_ZERO,
                    AP_SAT_SYM = hlsmem::SAT_SYM, AP_WRAP_SM = hlsmem::WRAP_SM;
#endif
