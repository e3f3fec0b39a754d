/* <math.h>; in C++ each function of it takes float, double, long double and integers, as standard. */
#pragma once
#ifdef __cplusplus
#include <stdlib.h>
#else
#include <stddef.h>
#endif
#define HLSMEM_OF_ONE(x_) \
    x_(sin) x_(cos) x_(tan) x_(asin) x_(acos) x_(atan) x_(sinh) x_(cosh) x_(tanh) x_(asinh) x_(acosh) \
    x_(atanh) x_(exp) x_(exp2) x_(expm1) x_(log) x_(log2) x_(log10) x_(log1p) x_(logb) x_(sqrt) x_(cbrt) \
    x_(ceil) x_(floor) x_(trunc) x_(round) x_(rint) x_(nearbyint) x_(fabs) x_(erf) x_(erfc) x_(tgamma) \
    x_(lgamma)
#define HLSMEM_OF_TWO(x_) \
    x_(pow) x_(atan2) x_(fmod) x_(hypot) x_(fmax) x_(fmin) x_(fdim) x_(copysign) x_(remainder) x_(nextafter)
HLSMEM_C
#define HLSMEM_X(n) double n(double); float n##f(float); long double n##l(long double);
HLSMEM_OF_ONE(HLSMEM_X)
#undef HLSMEM_X
#define HLSMEM_X(n) \
    double n(double, double); float n##f(float, float); long double n##l(long double, long double);
HLSMEM_OF_TWO(HLSMEM_X)
#undef HLSMEM_X
double ldexp(double, int), frexp(double, int *), modf(double, double *), scalbn(double, int);
float ldexpf(float, int), frexpf(float, int *), modff(float, float *), scalbnf(float, int);
double fma(double, double, double);
float fmaf(float, float, float);
long lround(double), lroundf(float), lrint(double), lrintf(float);
long long llround(double), llroundf(float), llrint(double);
int ilogb(double), ilogbf(float);
HLSMEM_END
#ifdef __cplusplus
namespace hlsmem_c {
#define HLSMEM_X(n) \
    inline float n(float x) { return n##f(x); } \
    inline long double n(long double x) { return n##l(x); } \
    template <class t_, class = decltype(t_(1) % 2)> double n(t_ x) { return n((double)x); }
HLSMEM_OF_ONE(HLSMEM_X)
#undef HLSMEM_X
#define HLSMEM_X(n) \
    inline float n(float x, float y) { return n##f(x, y); } \
    template <class t_, class u_> double n(t_ x, u_ y) { return n((double)x, (double)y); }
HLSMEM_OF_TWO(HLSMEM_X)
#undef HLSMEM_X
inline float ldexp(float x, int n) { return ldexpf(x, n); }
inline float modf(float x, float *n) { return modff(x, n); }
inline float frexp(float x, int *n) { return frexpf(x, n); }
inline float fma(float x, float y, float z) { return fmaf(x, y, z); }
inline long lround(float x) { return lroundf(x); }
inline long lrint(float x) { return lrintf(x); }
constexpr bool isnan(double x) { return x != x; }
constexpr bool isinf(double x) { return x - x != 0 && x == x; }
constexpr bool isfinite(double x) { return x - x == 0; }
inline bool signbit(double x) { return __builtin_signbit(x); }
}
#else
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)
#endif
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
