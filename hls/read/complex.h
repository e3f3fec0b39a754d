/* <complex.h>, in C++ <complex>. */
#pragma once
#ifdef __cplusplus
#include <complex>
#else
#define complex _Complex
#define I (__extension__ 1.0if)
double creal(double complex), cimag(double complex), cabs(double complex), carg(double complex);
float crealf(float complex), cimagf(float complex), cabsf(float complex), cargf(float complex);
double complex conj(double complex), cexp(double complex), csqrt(double complex);
float complex conjf(float complex), cexpf(float complex), csqrtf(float complex);
#endif
