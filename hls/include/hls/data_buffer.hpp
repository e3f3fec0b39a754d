/* hls::DoubleBuffer and others: one process fills a buffer while the next one empties the other. */
#pragma once
namespace hls {
template <class t_> class OwnershipBuffer {
    t_ at;

public:
    t_ &producer() { return at; }
    t_ &consumer() { return at; }
    void producer_acquire() {}
    void producer_release() {}
    void consumer_acquire() {}
    void consumer_release() {}
};
template <class t_> class DoubleBuffer {
    t_ at[2];
    unsigned filled, emptied;

public:
    DoubleBuffer() : filled(0), emptied(0) {}
    t_ &producer() { return at[filled % 2]; }
    t_ &consumer() { return at[emptied % 2]; }
    void producer_acquire() {}
    void producer_release() { filled++; }
    void consumer_acquire() {}
    void consumer_release() { emptied++; }
};
template <class t_> using SharedBuffer = OwnershipBuffer<t_>;
}
