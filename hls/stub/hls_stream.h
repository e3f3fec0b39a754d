/* hls::stream, to compile HLS sources where the vendor's headers are not: a queue without end. */
#ifndef HLSMEM_STUB_HLS_STREAM_H
#define HLSMEM_STUB_HLS_STREAM_H

#include <stdio.h>
#include <stdlib.h>

#ifdef HLSMEM_NATIVE
/* For `hlsmem check --only reading`: what passes is recorded, how the queue is kept is not. */
extern "C" void __asan_loadN_noabort(const void *, size_t);
extern "C" void __asan_storeN_noabort(const void *, size_t);
#define HLSMEM_LOADS(at) __asan_loadN_noabort((const void *)(at), sizeof *(at))
#define HLSMEM_STORES(at) __asan_storeN_noabort((const void *)(at), sizeof *(at))
#define HLSMEM_ASIDE __attribute__((no_sanitize("kernel-address")))
#else
#define HLSMEM_LOADS(at) ((void)0)
#define HLSMEM_STORES(at) ((void)0)
#define HLSMEM_ASIDE
#endif

namespace hls {

template <typename t_> class stream {
    t_ *held;
    size_t room, reads, writes;
    bool is_own;

    stream(const stream &);
    stream &operator=(const stream &);

public:
    HLSMEM_ASIDE explicit stream(const char * = "")
        : held(0), room(0), reads(0), writes(0), is_own(true) {}
    /* A stream in memory of somebody else, of which so many elements are written already. */
    HLSMEM_ASIDE stream(t_ *memory, size_t elements, size_t written)
        : held(memory), room(elements), reads(0), writes(written), is_own(false) {}
    HLSMEM_ASIDE ~stream() {
        if (is_own)
            free((void *)held);
    }
    HLSMEM_ASIDE bool empty() const { return reads == writes; }
    HLSMEM_ASIDE bool full() const { return false; }
    HLSMEM_ASIDE size_t size() const { return writes - reads; }
    HLSMEM_ASIDE t_ read() {
        if (reads == writes) {
            fputs("hls::stream: read() of an empty stream\n", stderr);
            exit(6);
        }
        HLSMEM_LOADS(held + reads);
        return held[reads++];
    }
    HLSMEM_ASIDE void read(t_ &x) {
        x = read();
        HLSMEM_STORES(&x);
    }
    /* By value: what is written is loaded where write() is called. */
    HLSMEM_ASIDE void write(t_ x) {
        if (writes == room) {
            if (!is_own)
                exit(7);
            room = 2 * room + 64;
            held = (t_ *)realloc((void *)held, room * sizeof(t_));
            if (!held)
                exit(4);
        }
        held[writes] = x;
        HLSMEM_STORES(held + writes);
        writes++;
    }
    HLSMEM_ASIDE void operator<<(t_ x) { write(x); }
    HLSMEM_ASIDE void operator>>(t_ &x) { read(x); }
};

} // namespace hls

#undef HLSMEM_LOADS
#undef HLSMEM_STORES
#undef HLSMEM_ASIDE

#endif
