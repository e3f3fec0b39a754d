/* ac_fixed of Algorithmic C (Catapult, Intel). */
#ifndef HLSMEM_AC_FIXED_H
#define HLSMEM_AC_FIXED_H
#include "ac_int.h"

namespace hlsmem {
constexpr rounding algorithmic(rounding mode) { return (rounding)(mode | algorithmic_c); }
}
typedef hlsmem::rounding ac_q_mode;
typedef hlsmem::overflow ac_o_mode;
constexpr ac_q_mode AC_TRN = hlsmem::algorithmic(hlsmem::trn),
                    AC_TRN_ZERO = hlsmem::algorithmic(hlsmem::trn_zero),
                    AC_RND = hlsmem::algorithmic(hlsmem::rnd),
                    AC_RND_ZERO = hlsmem::algorithmic(hlsmem::rnd_zero),
                    AC_RND_MIN_INF = hlsmem::algorithmic(hlsmem::rnd_min_inf),
                    AC_RND_INF = hlsmem::algorithmic(hlsmem::rnd_inf),
                    AC_RND_CONV = hlsmem::algorithmic(hlsmem::rnd_conv),
                    AC_RND_CONV_ODD = hlsmem::algorithmic(hlsmem::rnd_conv_odd);
constexpr ac_o_mode AC_WRAP = hlsmem::wrap, AC_SAT = hlsmem::sat, AC_SAT_ZERO = hlsmem::sat_zero,
                    AC_SAT_SYM = hlsmem::sat_sym;

template <int W_, int I_, bool S_ = true, ac_q_mode Q_ = AC_TRN, ac_o_mode O_ = AC_WRAP>
using ac_fixed = hlsmem::num<W_, I_, S_, Q_, O_>;
#endif
