/* The macros that PolyBench/C kernels are written with, as far as the kernels here need them. */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include <math.h>

#ifndef DATA_TYPE
#define DATA_TYPE double
#endif
#define SCALAR_VAL(x) x
#define SQRT_FUN(x) sqrt(x)
#define EXP_FUN(x) exp(x)
#define POW_FUN(x, y) pow(x, y)

#define POLYBENCH_PADDING_FACTOR 0
#define POLYBENCH_LOOP_BOUND(size, variable) variable
#define POLYBENCH_1D(var, dim1, ddim1) var[ddim1 + POLYBENCH_PADDING_FACTOR]
#define POLYBENCH_2D(var, dim1, dim2, ddim1, ddim2) \
    var[ddim1 + POLYBENCH_PADDING_FACTOR][ddim2 + POLYBENCH_PADDING_FACTOR]
#define POLYBENCH_3D(var, dim1, dim2, dim3, ddim1, ddim2, ddim3) \
    var[ddim1 + POLYBENCH_PADDING_FACTOR][ddim2 + POLYBENCH_PADDING_FACTOR] \
       [ddim3 + POLYBENCH_PADDING_FACTOR]

#define _PB_M POLYBENCH_LOOP_BOUND(M, m)
#define _PB_N POLYBENCH_LOOP_BOUND(N, n)
#define _PB_NI POLYBENCH_LOOP_BOUND(NI, ni)
#define _PB_NJ POLYBENCH_LOOP_BOUND(NJ, nj)
#define _PB_NK POLYBENCH_LOOP_BOUND(NK, nk)
#define _PB_NL POLYBENCH_LOOP_BOUND(NL, nl)
#define _PB_NM POLYBENCH_LOOP_BOUND(NM, nm)
#define _PB_NP POLYBENCH_LOOP_BOUND(NP, np)
#define _PB_NQ POLYBENCH_LOOP_BOUND(NQ, nq)
#define _PB_NR POLYBENCH_LOOP_BOUND(NR, nr)
#define _PB_NX POLYBENCH_LOOP_BOUND(NX, nx)
#define _PB_NY POLYBENCH_LOOP_BOUND(NY, ny)
#define _PB_TMAX POLYBENCH_LOOP_BOUND(TMAX, tmax)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS, tsteps)
#define _PB_W POLYBENCH_LOOP_BOUND(W, w)
#define _PB_H POLYBENCH_LOOP_BOUND(H, h)

#endif
