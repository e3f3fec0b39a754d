/* Where the vision library itself is not there: types of pixels, and words of 1 to 8 of them. */
#pragma once
#include "ap_int.h"
enum {
    XF_8UC1, XF_16UC1, XF_16SC1, XF_32UC1, XF_32FC1, XF_32SC1, XF_8UC2, XF_8UC4, XF_2UC1, XF_8UC3,
    XF_16UC3, XF_16SC3
};
enum { XF_NPPC1 = 1, XF_NPPC2 = 2, XF_NPPC4 = 4, XF_NPPC8 = 8, XF_NPPC16 = 16 };
template <int type_, int npc_> struct DataType {
    static constexpr int channel = type_ == XF_8UC2 ? 2 : type_ == XF_8UC4 ? 4 : type_ < 9 ? 1 : 3;
    static constexpr int bitdepth =
        type_ == XF_2UC1 ? 2
        : type_ == XF_8UC1 || (type_ >= XF_8UC2 && type_ <= XF_8UC3) ? 8
        : type_ >= XF_32UC1 && type_ <= XF_32SC1 ? 32 : 16;
    static constexpr int pixelwidth = bitdepth * channel;
    typedef ap_uint<pixelwidth * npc_> name;
};
#define XF_TNAME(type, npc) typename DataType<type, npc>::name
#define XF_CHANNELS(type, npc) DataType<type, npc>::channel
#define XF_PIXELWIDTH(type, npc) DataType<type, npc>::pixelwidth
#define XF_NPIXPERCYCLE(npc) (npc)
#define XF_BITSHIFT(npc) ((npc) >= 16 ? 4 : (npc) >= 8 ? 3 : (npc) >= 4 ? 2 : (npc) >= 2)
