/* Beats of AXI4-Stream: data, and the side channels that a kernel may leave alone. */
#pragma once
#include "ap_int.h"
#include "hls_stream.h"
namespace hlsmem {
template <class T, class = const int> struct bytes { enum { of = sizeof(T) }; };
template <class T> struct bytes<T, decltype(T::width)> { enum { of = (T::width + 7) / 8 }; };
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
template <class T, int U = 0, int I = 0, int D = 0, int enabled = AXIS_ENABLE_ALL, bool strict = false>
struct axis {
    T data;
    ap_uint<hlsmem::bytes<T>::of> keep, strb;
    ap_uint<U ? U : 1> user;
    ap_uint<1> last;
    ap_uint<I ? I : 1> id;
    ap_uint<D ? D : 1> dest;
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
template <class T> using axis_data = axis<T, 0, 0, 0, AXIS_ENABLE_DATA | AXIS_ENABLE_LAST>;
template <class T, int U> using axis_user = axis<T, U, 0, 0, AXIS_ENABLE_DATA | AXIS_ENABLE_USER>;
}
template <int W, int U = 0, int I = 0, int D = 0, int enabled = AXIS_ENABLE_ALL, bool strict = false>
using ap_axiu = hls::axis<ap_uint<W>, U, I, D, enabled, strict>;
template <int W, int U = 0, int I = 0, int D = 0, int enabled = AXIS_ENABLE_ALL, bool strict = false>
using ap_axis = hls::axis<ap_int<W>, U, I, D, enabled, strict>;
template <int W, int U = 0, int I = 0, int D = 0>
using qdma_axis = hls::axis<ap_uint<W>, U, I, D, AXIS_ENABLE_ALL & ~AXIS_ENABLE_STRB>;
