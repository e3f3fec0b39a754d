/* AMD's int1 to int64 and uint1 to uint64 of Vivado HLS. */
#ifndef HLSMEM_AP_CINT_H
#define HLSMEM_AP_CINT_H
#include "ap_int.h"

#define HLSMEM_WIDTH(w) \
    typedef ap_int<w> int##w; \
    typedef ap_uint<w> uint##w;
#include "hlsmem_each_width.h"
#undef HLSMEM_WIDTH
#endif
