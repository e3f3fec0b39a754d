/* hls::ap_hs and others: ports of one value, without a queue or with one of a handshake. */
#pragma once
#include "hls_stream.h"
namespace hls {
template <class t_> class ap_none {
    t_ value;

public:
    t_ read() { return value; }
    void read(t_ &x) { x = value; }
    void write(t_ x) { value = x; }
    bool valid() { return true; }
};
template <class t_> using ap_vld = ap_none<t_>;
template <class t_> using ap_ack = stream<t_>;
template <class t_> using ap_hs = stream<t_>;
}
