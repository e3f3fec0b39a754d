/* hls::stream_of_blocks: a lock has the next block of the queue from where it is declared. */
#pragma once
#include "hls_stream.h"
namespace hls {
template <class t_, int d_ = 2> class stream_of_blocks;
template <class t_> class write_lock;
template <class t_> class read_lock;
template <class t_, size_t n_, int d_> class stream_of_blocks<t_[n_], d_> {
    hlsmem::fifo<t_[n_], d_> q;
    friend class write_lock<t_[n_]>;
    friend class read_lock<t_[n_]>;

public:
    HLSMEM_ASIDE stream_of_blocks(const char * = "") {}
    HLSMEM_ASIDE bool empty() { return q.empty(); }
    HLSMEM_ASIDE bool full() { return q.full(); }
};
template <class t_, size_t n_> class write_lock<t_[n_]> {
    t_ (&block)[n_];

public:
    template <int d_> write_lock(stream_of_blocks<t_[n_], d_> &s) : block(s.q.put()) {}
    t_ &operator[](size_t i) { return block[i]; }
};
template <class t_, size_t n_> class read_lock<t_[n_]> {
    t_ (&block)[n_];

public:
    template <int d_> read_lock(stream_of_blocks<t_[n_], d_> &s) : block(s.q.get()) {}
    t_ &operator[](size_t i) { return block[i]; }
};
}
