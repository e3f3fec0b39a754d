/* hlsmem::fifo, the queue that streams of all vendors are: the reader knows it by name. */
#pragma once
#include <stddef.h>
#include <stdint.h>
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

namespace hlsmem {

/* The block around is a DATAFLOW region, as with the pragma in it. */
inline void dataflow() {}

/* A member of a class of streams with room for D elements. */
template <class t_, int d_> struct depth {};

/* Natively none is ever full, and elements never move: block k has as many as all before, and 64. */
template <class t_, int d_ = 0> class fifo {
    enum { first_ = 64, most_ = 48 };
    t_ *blocks[most_]; /* the first `used` */
    int used;
    size_t room, reads, writes, end;
    bool is_own, is_closed;
    fifo *turn; /* of a channel: the queue of its next element */
    fifo *next; /* of a channel: the queue of the element after one of this */

    HLSMEM_ASIDE t_ *at(size_t place) const {
        int block = 0;
        if (is_own)
            for (size_t many = first_; place >= many; many *= 2, block++)
                place -= many;
        return blocks[block] + place;
    }
    HLSMEM_ASIDE void stop_if_empty() const {
        if (reads == writes) {
            fputs("hlsmem: read() of an empty stream\n", stderr);
            exit(6);
        }
    }

public:
    typedef t_ value_type;
    fifo(const fifo &) = delete;
    fifo &operator=(const fifo &) = delete;
    HLSMEM_ASIDE explicit fifo(const char * = "")
        : used(0), room(0), reads(0), writes(0), end(0), is_own(true), is_closed(false),
          turn(0), next(0) {}
    HLSMEM_ASIDE explicit fifo(int) : fifo("") {} /* of a depth */
    /* A stream in memory of somebody else, of which so many elements are written already. */
    HLSMEM_ASIDE fifo(t_ *memory, size_t elements, size_t written)
        : used(1), room(elements), reads(0), writes(written), end(0), is_own(false),
          is_closed(false), turn(0), next(0) {
        blocks[0] = memory;
    }
    HLSMEM_ASIDE ~fifo() {
        if (is_own)
            while (used)
                free((void *)blocks[--used]);
    }
    /* What is written here, or read, goes to or comes from queues in turn. */
    HLSMEM_ASIDE void begin(fifo &first) { turn = &first; }
    HLSMEM_ASIDE void follow(fifo &other) { other.next = this; }
    HLSMEM_ASIDE bool empty() const { return turn ? turn->empty() : reads == writes; }
    HLSMEM_ASIDE bool full() const { return false; }
    HLSMEM_ASIDE size_t size() const { return writes - reads; }
    HLSMEM_ASIDE t_ peek() const {
        if (turn)
            return turn->peek();
        stop_if_empty();
        HLSMEM_LOADS(at(reads));
        return *at(reads);
    }
    /* The element that is read next, and the one that is written next, in their places. */
    HLSMEM_ASIDE t_ &get() {
        if (turn) {
            fifo &own = *turn;
            turn = own.next;
            return own.get();
        }
        stop_if_empty();
        return *at(reads++);
    }
    HLSMEM_ASIDE t_ &put() {
        if (turn) {
            fifo &own = *turn;
            turn = own.next;
            return own.put();
        }
        if (writes == room) {
            if (!is_own)
                exit(7);
            blocks[used] = (t_ *)malloc((room + first_) * sizeof(t_));
            if (!blocks[used++])
                exit(4);
            room += room + first_;
        }
        return *at(writes++);
    }
    HLSMEM_ASIDE t_ read() {
        t_ &x = get();
        HLSMEM_LOADS(&x);
        return x;
    }
    HLSMEM_ASIDE void read(t_ &x) {
        x = read();
        HLSMEM_STORES(&x);
    }
    HLSMEM_ASIDE bool read_nb(t_ &x) {
        if (empty())
            return false;
        read(x);
        return true;
    }
    /* By value: what is written is loaded where write() is called. */
    HLSMEM_ASIDE void write(t_ x) {
        t_ &to = put();
        to = x;
        HLSMEM_STORES(&to);
    }
    /* No more elements come; those who read ask for it. */
    HLSMEM_ASIDE void close() {
        if (!is_closed)
            end = writes;
        is_closed = true;
    }
    HLSMEM_ASIDE bool goes_on() const {
        if (reads == writes && !is_closed) {
            fputs("hlsmem: the end of a stream that is not closed\n", stderr);
            exit(6);
        }
        return !is_closed || reads < end;
    }
    /* In a loop that does nothing else: `if (q.waits_for_end(x))` is true once that is known. */
    HLSMEM_ASIDE bool waits_for_end(bool &x) {
        x = !goes_on();
        return true;
    }
    HLSMEM_ASIDE bool write_nb(t_ x) {
        write(x);
        return true;
    }
};

/* A queue of blocks, which are read and written in their places. */
template <class t_, size_t n_, int d_> class fifo<t_[n_], d_> {
    struct block {
        t_ own[n_];
    };
    fifo<block> q;

public:
    HLSMEM_ASIDE bool empty() const { return q.empty(); }
    HLSMEM_ASIDE bool full() const { return false; }
    HLSMEM_ASIDE t_ (&get())[n_] { return q.get().own; }
    HLSMEM_ASIDE t_ (&put())[n_] { return q.put().own; }
};

/* Channels of one stream to n_ and of n_ to one, of classes of streams with a queue q. */
struct turns {
    template <class s_, int n_> HLSMEM_ASIDE static void pass(s_ &one, s_ (&each)[n_]) {
        one.q.begin(each[0].q);
        for (int k = 0; k < n_; k++)
            each[(k + 1) % n_].q.follow(each[k].q);
    }
};
template <class s_, int n_> struct split {
    s_ in, out[n_];
    HLSMEM_ASIDE split(const char * = "") { turns::pass(in, out); }
};
template <class s_, int n_> struct merge {
    s_ in[n_], out;
    HLSMEM_ASIDE merge(const char * = "") { turns::pass(out, in); }
};

} // namespace hlsmem

#undef HLSMEM_LOADS
#undef HLSMEM_STORES

/* What a vendor's stream has in common with the others: its queue, made by name or in a memory. */
#define HLSMEM_STREAM(name) \
    hlsmem::fifo<t_> q; \
    friend struct hlsmem::turns; \
\
public: \
    typedef t_ value_type; \
    HLSMEM_ASIDE explicit name(const char * = "") {} \
    HLSMEM_ASIDE name(t_ *memory, size_t room, size_t written) : q(memory, room, written) {} \
    HLSMEM_ASIDE t_ read() { return q.read(); } \
    HLSMEM_ASIDE void write(t_ x) { q.write(x); } \
    HLSMEM_ASIDE bool empty() { return q.empty(); } \
    HLSMEM_ASIDE bool full() { return q.full(); }
