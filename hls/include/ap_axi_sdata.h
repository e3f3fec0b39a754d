/* Beats of AXI4-Stream: data, and the side channels that a kernel may leave alone. */
#pragma once
#include "ap_int.h"
#include "hls_stream.h"
namespace hlsmem {
template <class t_, class = const int> struct bytes { enum { of = sizeof(t_) }; };
template <class t_> struct bytes<t_, decltype(t_::width)> { enum { of = (t_::width + 7) / 8 }; };
}
#define AXIS_ENABLE_DATA 1
#define AXIS_ENABLE_DEST 2
#define AXIS_ENABLE_ID 4
#define AXIS_ENABLE_KEEP 8
#define AXIS_ENABLE_LAST 16
#define AXIS_ENABLE_STRB 32
#define AXIS_ENABLE_USER 64
#define AXIS_ENABLE_ALL 127
#define AXIS_DISABLE_DEST (AXIS_ENABLE_ALL & ~AXIS_ENABLE_DEST)
#define AXIS_DISABLE_USER (AXIS_ENABLE_ALL & ~AXIS_ENABLE_USER)
#define AXIS_DISABLE_ID (AXIS_ENABLE_ALL & ~AXIS_ENABLE_ID)
#define AXIS_DISABLE_ALL 0
namespace hls {
template <class t_, int u_ = 0, int i_ = 0, int d_ = 0, int enabled = AXIS_ENABLE_ALL, bool strict = false>
struct axis {
    t_ data;
    ap_uint<hlsmem::bytes<t_>::of> keep, strb;
    ap_uint<u_ ? u_ : 1> user;
    ap_uint<1> last;
    ap_uint<i_ ? i_ : 1> id;
    ap_uint<d_ ? d_ : 1> dest;
#define HLSMEM_CHANNEL(name) \
    decltype(axis::name) get_##name() const { return name; } \
    void set_##name(decltype(axis::name) x) { name = x; }
    HLSMEM_CHANNEL(data)
    HLSMEM_CHANNEL(keep)
    HLSMEM_CHANNEL(strb)
    HLSMEM_CHANNEL(user)
    HLSMEM_CHANNEL(last)
    HLSMEM_CHANNEL(id)
    HLSMEM_CHANNEL(dest)
#undef HLSMEM_CHANNEL
    void keep_all() { keep = -1; }
    void strb_all() { strb = -1; }
};
template <class t_> using axis_data = axis<t_, 0, 0, 0, AXIS_ENABLE_DATA | AXIS_ENABLE_LAST>;
template <class t_, int u_> using axis_user = axis<t_, u_, 0, 0, AXIS_ENABLE_DATA | AXIS_ENABLE_USER>;
}
template <int w_, int u_ = 0, int i_ = 0, int d_ = 0, int enabled = AXIS_ENABLE_ALL, bool strict = false>
using ap_axiu = hls::axis<ap_uint<w_>, u_, i_, d_, enabled, strict>;
template <int w_, int u_ = 0, int i_ = 0, int d_ = 0, int enabled = AXIS_ENABLE_ALL, bool strict = false>
using ap_axis = hls::axis<ap_int<w_>, u_, i_, d_, enabled, strict>;
template <int w_, int u_ = 0, int i_ = 0, int d_ = 0>
using qdma_axis = hls::axis<ap_uint<w_>, u_, i_, d_, AXIS_ENABLE_ALL & ~AXIS_ENABLE_STRB>;
