/* hls::stream_of_blocks: a lock's block is its own, and passes through the queue element by element. */
#pragma once
#include "hls_stream.h"
namespace hls {
template <class t_, int d_ = 2> class stream_of_blocks;
template <class t_> class write_lock;
template <class t_> class read_lock;
template <class t_, size_t n_, int d_> class stream_of_blocks<t_[n_], d_> {
public:
    hlsmem::fifo<t_> q;
    HLSMEM_ASIDE stream_of_blocks(const char * = "") {}
    HLSMEM_ASIDE bool empty() { return q.empty(); }
    HLSMEM_ASIDE bool full() { return q.full(); }
};
template <class t_, size_t n_> class write_lock<t_[n_]> {
    t_ block[n_];
    hlsmem::fifo<t_> &q;

public:
    template <int d_> write_lock(stream_of_blocks<t_[n_], d_> &s) : q(s.q) {}
    ~write_lock() {
        for (size_t i = 0; i < n_; i++)
            q.write(block[i]);
    }
    t_ &operator[](size_t i) { return block[i]; }
};
template <class t_, size_t n_> class read_lock<t_[n_]> {
    t_ block[n_];

public:
    template <int d_> read_lock(stream_of_blocks<t_[n_], d_> &s) {
        for (size_t i = 0; i < n_; i++)
            block[i] = s.q.read();
    }
    t_ &operator[](size_t i) { return block[i]; }
};
}
