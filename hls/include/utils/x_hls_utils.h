/* utils/x_hls_utils.h: types of results, bits of numbers. */
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
/* The bits of a floating-point number; declared alone. */
template <class t_> struct fp_struct {
    fp_struct(t_);
    fp_struct(ap_uint<8 * sizeof(t_)>);
    ap_uint<8 * sizeof(t_)> data() const;
    float to_float() const;
    double to_double() const;
};
