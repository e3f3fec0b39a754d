/* hls::FIFO of SmartHLS. */
#pragma once
#include "hlsmem_fifo.h"
#include "hls/ap_int.hpp"
namespace hls {
template <class t_, int d_ = 0> class FIFO {
    hlsmem::depth<t_, d_> room;
    HLSMEM_STREAM(FIFO)
    HLSMEM_ASIDE explicit FIFO(int depth) : q(depth) {}
    HLSMEM_ASIDE void setDepth(int) {}
    HLSMEM_ASIDE t_ peek() { return q.peek(); }
    HLSMEM_ASIDE void write(t_ x, bool) { q.write(x); }
    HLSMEM_ASIDE bool try_read(t_ &x) { return q.read_nb(x); }
    HLSMEM_ASIDE bool try_write(t_ x) { return q.write_nb(x); }
    HLSMEM_ASIDE int get_usedw() { return q.size(); }
};
}
