/* hls::stream of AMD: one with a depth is passed where one without is taken. */
#pragma once
#include "hlsmem_fifo.h"
namespace hls {
template <class t_, int d_ = 0> class stream;
template <class t_> class stream<t_, 0> {
    HLSMEM_STREAM(stream)
    HLSMEM_ASIDE void read(t_ &x) { q.read(x); }
    HLSMEM_ASIDE void operator<<(t_ x) { q.write(x); }
    HLSMEM_ASIDE void operator>>(t_ &x) { q.read(x); }
    HLSMEM_ASIDE bool read_nb(t_ &x) { return q.read_nb(x); }
    HLSMEM_ASIDE bool write_nb(t_ x) { return q.write_nb(x); }
    HLSMEM_ASIDE size_t size() { return q.size(); }
};
template <class t_, int d_> class stream : public stream<t_, 0> {
    hlsmem::depth<t_, d_> room;

public:
    HLSMEM_ASIDE explicit stream(const char *name = "") : stream<t_, 0>(name) {}
    HLSMEM_ASIDE stream(t_ *memory, size_t elements, size_t written)
        : stream<t_, 0>(memory, elements, written) {}
    HLSMEM_ASIDE static constexpr size_t capacity() { return d_; }
};
}
