/* ac_int of Algorithmic C (Catapult, Intel). */
#ifndef HLSMEM_AC_INT_H
#define HLSMEM_AC_INT_H
#include "hlsmem_number.h"

#ifdef HLSMEM_NATIVE
template <int W_, bool S_ = true> using ac_int = hlsmem::integer<W_, S_>;
#else
/* S stands as it is, for functions that deduce it. */
template <int W_, bool S_ = true>
using ac_int = hlsmem::num<W_, W_, S_, hlsmem::declared<W_, true>::algorithmic>;
#endif

namespace ac {
/* The bits that hold X as an unsigned number; the least power of two that is no less than X. */
template <unsigned X_> struct nbits { enum { val = 1 + nbits<X_ / 2>::val }; };
template <> struct nbits<0> { enum { val = 0 }; };
template <unsigned X_> struct log2_floor { enum { val = nbits<X_>::val - 1 }; };
template <unsigned X_> struct log2_ceil { enum { val = nbits<X_ - 1>::val }; };
} // namespace ac
#endif
