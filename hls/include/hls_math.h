/* hls_math.h: C's mathematics in namespace hls; on fixed point it is declared, and refused by name. */
#pragma once
#include <math.h>
#include <stdlib.h>
#include "ap_fixed.h"
namespace hls {
using ::abs;
template <class t_> constexpr t_ max(t_ a, t_ b) { return a < b ? b : a; }
template <class t_> constexpr t_ min(t_ a, t_ b) { return b < a ? b : a; }
template <class t_> constexpr bool signbit(t_ x) { return x < 0; }
#define HLSMEM_X(n) \
    using ::n; \
    using ::n##f; \
    template <class t_, class = decltype(t_::width)> t_ n(t_);
HLSMEM_X(sin) HLSMEM_X(cos) HLSMEM_X(tan) HLSMEM_X(asin) HLSMEM_X(acos) HLSMEM_X(atan)
HLSMEM_X(sinh) HLSMEM_X(cosh) HLSMEM_X(tanh) HLSMEM_X(exp) HLSMEM_X(exp2) HLSMEM_X(expm1)
HLSMEM_X(log) HLSMEM_X(log2) HLSMEM_X(log10) HLSMEM_X(log1p) HLSMEM_X(sqrt) HLSMEM_X(cbrt)
HLSMEM_X(ceil) HLSMEM_X(floor) HLSMEM_X(trunc) HLSMEM_X(round) HLSMEM_X(rint) HLSMEM_X(fabs)
#undef HLSMEM_X
template <class t_, class = decltype(t_::width)> t_ abs(t_ x) { return x < 0 ? t_(-x) : x; }
#define HLSMEM_X(n) \
    using ::n; \
    using ::n##f; \
    template <class t_, class = decltype(t_::width)> t_ n(t_, t_);
HLSMEM_X(pow) HLSMEM_X(atan2) HLSMEM_X(fmod) HLSMEM_X(hypot) HLSMEM_X(fmax) HLSMEM_X(fmin)
HLSMEM_X(copysign) HLSMEM_X(remainder)
#undef HLSMEM_X
using ::fma;
using ::ldexp;
using ::lround;
inline float recip(float x) { return 1 / x; }
inline double recip(double x) { return 1 / x; }
inline float rsqrt(float x) { return 1 / sqrtf(x); }
inline double rsqrt(double x) { return 1 / sqrt(x); }
inline float sinpi(float x) { return sinf(x * (float)3.14159265358979323846); }
inline float cospi(float x) { return cosf(x * (float)3.14159265358979323846); }
}
