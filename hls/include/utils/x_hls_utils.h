/* utils/x_hls_utils.h: functions of widths, and accesses that are not optimised away. */
#pragma once
#include "ap_fixed.h"
namespace hls {
template <class t_> class numeric_limits;
template <class t_> t_ reg(t_ x) { return x; }
template <class a_, class b_ = a_> struct x_traits {
    typedef decltype(a_() * b_()) MULT_T;
    typedef decltype(a_() + b_()) ADD_T;
    typedef decltype(a_() - b_()) SUB_T;
    typedef decltype(a_() / b_()) DIV_T;
};
}
template <int n_, bool more = (n_ > 1)> struct BitWidth { enum { Value = 1 + BitWidth<n_ / 2>::Value }; };
template <int n_> struct BitWidth<n_, false> { enum { Value = 1 }; };
