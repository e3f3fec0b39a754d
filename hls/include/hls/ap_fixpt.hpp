/* Microchip SmartHLS's ap_fixpt and ap_ufixpt. */
#ifndef HLSMEM_SMARTHLS_AP_FIXPT_H
#define HLSMEM_SMARTHLS_AP_FIXPT_H
#include "../ap_fixed.h"
#include "ap_int.hpp"

namespace hls {
template <int W_, int I_, ap_q_mode Q_ = AP_TRN, ap_o_mode O_ = AP_WRAP>
using ap_fixpt = hlsmem::fixed<W_, I_, true, Q_, O_>;
template <int W_, int I_, ap_q_mode Q_ = AP_TRN, ap_o_mode O_ = AP_WRAP>
using ap_ufixpt = hlsmem::fixed<W_, I_, false, Q_, O_>;
} // namespace hls
#endif
