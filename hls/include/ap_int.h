/* AMD's ap_int and ap_uint. */
#ifndef HLSMEM_AP_INT_H
#define HLSMEM_AP_INT_H
#include "hlsmem_number.h"

template <int W> using ap_int = hlsmem::integer<W, true>;
template <int W> using ap_uint = hlsmem::integer<W, false>;
#endif
