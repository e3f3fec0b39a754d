/* hls::stream of AMD: one with a depth is passed where one without is taken. */
#pragma once
#include "hlsmem_fifo.h"
namespace hls {
template <class T, int D = 0> class stream;
template <class T> class stream<T, 0> {
    HLSMEM_STREAM(stream)
    HLSMEM_ASIDE void read(T &x) { q.read(x); }
    HLSMEM_ASIDE void operator<<(T x) { q.write(x); }
    HLSMEM_ASIDE void operator>>(T &x) { q.read(x); }
    HLSMEM_ASIDE bool read_nb(T &x) { return q.read_nb(x); }
    HLSMEM_ASIDE bool write_nb(T x) { return q.write_nb(x); }
    HLSMEM_ASIDE size_t size() { return q.size(); }
};
template <class T, int D> class stream : public stream<T, 0> {
    hlsmem::depth<T, D> room;

public:
    HLSMEM_ASIDE explicit stream(const char *name = "") : stream<T, 0>(name) {}
    HLSMEM_ASIDE stream(T *memory, size_t elements, size_t written)
        : stream<T, 0>(memory, elements, written) {}
    HLSMEM_ASIDE static constexpr size_t capacity() { return D; }
};
}
