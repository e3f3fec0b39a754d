/* Microchip SmartHLS's ap_int and ap_uint. */
#ifndef HLSMEM_SMARTHLS_AP_INT_H
#define HLSMEM_SMARTHLS_AP_INT_H
#include "../ap_int.h"
#if __has_include(<iostream>) /* which the vendor has in it, too */
#include <iostream>
#include <string>
#endif

namespace hls {
using ::ap_int;
using ::ap_uint;
} // namespace hls
#endif
