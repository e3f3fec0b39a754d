/* hls::FIFO of SmartHLS; its depth is in the type or in the constructor. */
#pragma once
#include "hlsmem_fifo.h"
#include "hls/ap_int.hpp"
namespace hls {
template <class t_, int d_ = 0> class FIFO;
template <class t_> class FIFO<t_, 0> {
    HLSMEM_STREAM(FIFO)
    HLSMEM_ASIDE explicit FIFO(int d) : q(d) {}
    HLSMEM_ASIDE void setDepth(int) {}
    HLSMEM_ASIDE t_ peek() { return q.peek(); }
    HLSMEM_ASIDE bool try_read(t_ &x) { return q.read_nb(x); }
    HLSMEM_ASIDE bool try_write(t_ x) { return q.write_nb(x); }
    HLSMEM_ASIDE int get_usedw() { return q.size(); }
};
template <class t_, int d_> class FIFO : public FIFO<t_, 0> {
    hlsmem::depth<t_, d_> room;

public:
    HLSMEM_ASIDE explicit FIFO(int d = d_) : FIFO<t_, 0>(d) {}
    HLSMEM_ASIDE FIFO(t_ *memory, size_t elements, size_t written)
        : FIFO<t_, 0>(memory, elements, written) {}
};
}
