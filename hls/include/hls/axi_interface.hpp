/* hls::AxiInterface of SmartHLS: a queue for each channel of the bus. */
#pragma once
#include "hls/streaming.hpp"
#define AXIM_MAX_BURST_LEN 256
namespace hls {
template <class a_> struct AddrSignals {
    a_ addr;
    ap_uint<8> len;
    ap_uint<3> size;
    ap_uint<2> burst;
};
template <class d_> struct RdDataSignals {
    d_ data;
    ap_uint<2> resp;
    ap_uint<1> last;
};
template <class d_, class s_> struct WrDataSignals {
    d_ data;
    s_ strb;
    ap_uint<1> last;
};
struct WrRespSignals {
    ap_uint<2> resp;
};
template <class a_, class d_, class s_> struct AxiInterface {
    FIFO<AddrSignals<a_>> ar, aw;
    FIFO<RdDataSignals<d_>> r;
    FIFO<WrDataSignals<d_, s_>> w;
    FIFO<WrRespSignals> b;
    AxiInterface(int depth = 1) : ar(depth), aw(depth), r(depth), w(depth), b(depth) {}
};
template <class a_, class d_, class s_>
void axi_m_read_req(AxiInterface<a_, d_, s_> &m, a_ at, ap_uint<9> n) {
    m.ar.write(AddrSignals<a_>{at, n - 1, 0, 1});
}
template <class a_, class d_, class s_>
void axi_m_write_req(AxiInterface<a_, d_, s_> &m, a_ at, ap_uint<9> n) {
    m.aw.write(AddrSignals<a_>{at, n - 1, 0, 1});
}
template <class a_, class d_, class s_> d_ axi_m_read_data(AxiInterface<a_, d_, s_> &m) {
    return m.r.read().data;
}
template <class a_, class d_, class s_>
void axi_m_write_data(AxiInterface<a_, d_, s_> &m, d_ x, s_ strobe, bool last) {
    m.w.write(WrDataSignals<d_, s_>{x, strobe, last});
}
template <class a_, class d_, class s_> ap_uint<2> axi_m_write_resp(AxiInterface<a_, d_, s_> &m) {
    return m.b.read().resp;
}
}
