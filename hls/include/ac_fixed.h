/* ac_fixed of Algorithmic C (Catapult, Intel). */
#ifndef HLSMEM_AC_FIXED_H
#define HLSMEM_AC_FIXED_H
#include "ac_int.h"

typedef hlsmem::rounding ac_q_mode;
typedef hlsmem::overflow ac_o_mode;
constexpr ac_q_mode AC_TRN = hlsmem::algorithmic(hlsmem::TRN),
                    AC_TRN_ZERO = hlsmem::algorithmic(hlsmem::TRN_ZERO),
                    AC_RND = hlsmem::algorithmic(hlsmem::RND),
                    AC_RND_ZERO = hlsmem::algorithmic(hlsmem::RND_ZERO),
                    AC_RND_MIN_INF = hlsmem::algorithmic(hlsmem::RND_MIN_INF),
                    AC_RND_INF = hlsmem::algorithmic(hlsmem::RND_INF),
                    AC_RND_CONV = hlsmem::algorithmic(hlsmem::RND_CONV),
                    AC_RND_CONV_ODD = hlsmem::algorithmic(hlsmem::RND_CONV_ODD);
constexpr ac_o_mode AC_WRAP = hlsmem::WRAP, AC_SAT = hlsmem::SAT, AC_SAT_ZERO = hlsmem::SAT_ZERO,
                    AC_SAT_SYM = hlsmem::SAT_SYM;

template <int W, int I, bool S = true, ac_q_mode Q = AC_TRN, ac_o_mode O = AC_WRAP>
using ac_fixed = hlsmem::num<W, I, S, Q, O>;
#endif
