/* HLS/hls.h of Intel: components, streams, memories; attributes of storage are left out. */
#pragma once
#include "hlsmem_fifo.h"
#define component
#define hls_avalon_slave_component
#define hls_avalon_slave_register_argument
#define hls_avalon_slave_memory_argument(n)
#define hls_avalon_agent_component
#define hls_avalon_agent_register_argument
#define hls_avalon_agent_memory_argument(n)
#define hls_always_run_component
#define hls_conduit_argument
#define hls_stable_argument
#define hls_stall_free_return
#define hls_memory
#define hls_register
#define hls_singlepump
#define hls_doublepump
#define hls_simple_dual_port_memory
#define hls_merge(...)
#define hls_numbanks(n)
#define hls_bankwidth(n)
#define hls_bankbits(...)
#define hls_max_replicates(n)
#define hls_private_copies(n)
#define hls_component_ii(n)
#define hls_max_concurrency(n)
#define hls_scheduler_target_fmax_mhz(n)
namespace ihls {
template <int n_> struct buffer { enum { value = n_ }; };
template <class t_, class... p_> class stream_in {
    HLSMEM_STREAM(stream_in)
    HLSMEM_ASIDE t_ tryRead(bool &done) { return done = !q.empty(), done ? q.read() : t_(); }
};
template <class t_, class... p_> class stream_out {
    HLSMEM_STREAM(stream_out)
    HLSMEM_ASIDE bool tryWrite(t_ x) { return q.write_nb(x); }
};
template <class t_, class... p_> class stream {
    HLSMEM_STREAM(stream)
};
template <class t_, class... p_> class mm_host {
    t_ *memory;

public:
    mm_host(t_ *at, int = 0, bool = false) : memory(at) {}
    t_ &operator[](int i) { return memory[i]; }
    t_ &operator*() { return *memory; }
    t_ *operator+(int i) { return memory + i; }
};
template <class t_, class... p_> using mm_master = mm_host<t_, p_...>;
template <int> struct aspace {};
template <int> struct awidth {};
template <int> struct dwidth {};
template <int> struct latency {};
template <int> struct maxburst {};
template <int> struct align {};
template <int> struct readwrite_mode {};
template <int> struct waitrequest {};
template <bool> struct usesPackets {};
template <bool> struct usesValid {};
template <bool> struct usesReady {};
template <int> struct readyLatency {};
template <int> struct bitsPerSymbol {};
template <bool> struct firstSymbolInHighOrderBits {};
}
