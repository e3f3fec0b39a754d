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

/* One whose type has a depth is one without: here none is ever full. */
template <typename t_, int depth_ = 0> class stream : public stream<t_, 0> {
public:
    HLSMEM_ASIDE explicit stream(const char *name = "") : stream<t_, 0>(name) {}
    HLSMEM_ASIDE stream(t_ *memory, size_t elements, size_t written)
        : stream<t_, 0>(memory, elements, written) {}
};

/* Elements never move: block k has as many as all blocks before it, and 64 more. */
template <typename t_> class stream<t_, 0> {
    enum { FIRST = 64, BLOCKS = 48 };
    t_ *blocks[BLOCKS]; /* the first `used` */
    int used;
    size_t room, reads, writes;
    bool is_own;

    stream(const stream &);
    stream &operator=(const stream &);
    HLSMEM_ASIDE t_ *at(size_t place) const {
        int block = 0;
        if (is_own)
            for (size_t many = FIRST; place >= many; many *= 2, block++)
                place -= many;
        return blocks[block] + place;
    }

public:
    HLSMEM_ASIDE explicit stream(const char * = "")
        : used(0), room(0), reads(0), writes(0), is_own(true) {}
    /* A stream in memory of somebody else, of which so many elements are written already. */
    HLSMEM_ASIDE stream(t_ *memory, size_t elements, size_t written)
        : used(1), room(elements), reads(0), writes(written), is_own(false) {
        blocks[0] = memory;
    }
    HLSMEM_ASIDE ~stream() {
        if (is_own)
            while (used)
                free((void *)blocks[--used]);
    }
    HLSMEM_ASIDE bool empty() const { return reads == writes; }
    HLSMEM_ASIDE bool full() const { return false; }
    HLSMEM_ASIDE size_t size() const { return writes - reads; }
    HLSMEM_ASIDE t_ read() {
        if (reads == writes) {
            fputs("hls::stream: read() of an empty stream\n", stderr);
            exit(6);
        }
        HLSMEM_LOADS(at(reads));
        return *at(reads++);
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
            blocks[used] = (t_ *)malloc((room + FIRST) * sizeof(t_));
            if (!blocks[used++])
                exit(4);
            room += room + FIRST;
        }
        *at(writes) = x;
        HLSMEM_STORES(at(writes));
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
