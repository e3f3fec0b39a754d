/* Microchip SmartHLS's ap_fixpt and ap_ufixpt. */
#ifndef HLSMEM_SMARTHLS_AP_FIXPT_H
#define HLSMEM_SMARTHLS_AP_FIXPT_H
#include "../ap_fixed.h"
#include "ap_int.hpp"

namespace hls {
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP>
using ap_fixpt = hlsmem::fixed<W, I, true, Q, O>;
template <int W, int I, ap_q_mode Q = AP_TRN, ap_o_mode O = AP_WRAP>
using ap_ufixpt = hlsmem::fixed<W, I, false, Q, O>;
} // namespace hls
#endif
