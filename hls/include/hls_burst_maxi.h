/* hls::burst_maxi: requests set the place, reads and writes go on from it. */
#pragma once
#include <stddef.h>
namespace hls {
template <class t_> class burst_maxi {
    t_ *memory;
    size_t to_read, to_write;

public:
    burst_maxi(t_ *at) : memory(at), to_read(0), to_write(0) {}
    void read_request(size_t at, size_t) { to_read = at; }
    void write_request(size_t at, size_t) { to_write = at; }
    t_ read() { return memory[to_read++]; }
    void write(t_ x) { memory[to_write++] = x; }
    void write(t_ x, long) { memory[to_write++] = x; }
    void write_response() {}
};
}
