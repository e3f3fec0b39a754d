/* Intel's ac_int, with int1 to int64 and uint1 to uint64. */
#ifndef HLSMEM_INTEL_AC_INT_H
#define HLSMEM_INTEL_AC_INT_H
#include "../ac_int.h"

#define HLSMEM_WIDTH(w) \
    typedef ac_int<w, true> int##w; \
    typedef ac_int<w, false> uint##w;
#include "../hlsmem_each_width.h"
#undef HLSMEM_WIDTH
#endif
