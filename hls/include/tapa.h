/* TAPA: tasks are processes, memories are pointers, channels are queues. */
#pragma once
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "ap_utils.h"
#include "hls_vector.h"
#include "hlsmem_fifo.h"
namespace tapa {
template <class t_> class channel {
    HLSMEM_STREAM(channel)
    t_ read(const void *) { return q.read(); }
    t_ read(bool &done) {
        t_ x;
        return done = q.read_nb(x), x;
    }
    bool try_read(t_ &x) { return q.read_nb(x); }
    bool try_write(const t_ &x) { return q.write_nb(x); }
    t_ peek(bool &done) { return done = !q.empty(), q.peek(); }
    t_ peek(const void *) { return q.peek(); }
    HLSMEM_ASIDE void operator<<(const t_ &x) { q.write(x); }
    HLSMEM_ASIDE void operator>>(t_ &x) { q.read(x); }
    HLSMEM_ASIDE void close() { q.close(); }
    HLSMEM_ASIDE bool try_eot(bool &x) { return q.waits_for_end(x); }
    HLSMEM_ASIDE bool goes_on() { return q.goes_on(); }
    bool eot(const void *), eot(bool &), try_open(), try_close();
    void open();
};
template <class t_> using istream = channel<t_>;
template <class t_> using ostream = channel<t_>;
template <class t_, int d_ = 2> class stream : public channel<t_> {
    hlsmem::depth<t_, d_> room;

public:
    HLSMEM_ASIDE explicit stream(const char * = "") {}
    HLSMEM_ASIDE stream(t_ *memory, size_t elements, size_t written)
        : channel<t_>(memory, elements, written) {}
};
template <class t_, int n_, int d_ = 2> class streams {
    stream<t_, d_> at[n_];

public:
    streams(const char * = "") {}
    stream<t_, d_> &operator[](int i) { return at[i]; }
};
template <class t_, int n_> using istreams = streams<t_, n_>;
template <class t_, int n_> using ostreams = streams<t_, n_>;
template <class t_> using mmap = t_ *;
template <class t_, int n_> struct mmaps {
    t_ *at[n_];
    t_ *operator[](int i) { return at[i]; }
};
template <class t_, int n_, int64_t size> using hmap = mmaps<t_, n_>;
template <class t_> struct async_mmap {
    channel<int64_t> read_addr, write_addr;
    channel<t_> read_data, write_data;
    channel<uint8_t> write_resp;
};
template <class t_, size_t n_> using vec_t = hls::vector<t_, n_>;
enum mode { join, detach };
struct seq {};
/* What the k-th of several calls gets: its number, its stream or memory, or what all get. */
template <int k_> int nth(seq &) { return k_; }
template <int k_, class t_, int n_> t_ *nth(mmaps<t_, n_> &x) { return x.at[k_]; }
template <int k_, class t_, int n_, int d_> stream<t_, d_> &nth(streams<t_, n_, d_> &x) {
    return x[k_];
}
template <int k_, class t_> t_ &nth(t_ &x) { return x; }
struct task {
    template <class f_, class... a_> task &invoke(f_ &&f, a_ &&...a) {
        return hlsmem::dataflow(), f(a...), *this;
    }
    template <class f_, int n_, class... a_> task &invoke(f_ &&f, const char (&)[n_], a_ &&...a) {
        return hlsmem::dataflow(), f(a...), *this;
    }
    template <mode, class f_, class... a_> task &invoke(f_ &&f, a_ &&...a) {
        return hlsmem::dataflow(), f(a...), *this;
    }
    template <mode, int n_, class f_, class... a_> task &invoke(f_ &&f, a_ &&...a) {
        return invoke_first(calls<n_>(), f, a...);
    }

private:
    template <int n_> struct calls {};
    template <class f_, class... a_> task &invoke_first(calls<0>, f_ &&, a_ &&...) {
        return *this;
    }
    template <int n_, class f_, class... a_> task &invoke_first(calls<n_>, f_ &&f, a_ &&...a) {
        return hlsmem::dataflow(), invoke_first(calls<n_ - 1>(), f, a...), f(nth<n_ - 1>(a)...),
               *this;
    }
};
template <class To, class From> To bit_cast(const From &x) {
    To made;
    memcpy(&made, &x, sizeof made);
    return made;
}
template <class t_> constexpr int widthof() { return sizeof(t_) * 8; }
template <class t_> constexpr int widthof(t_) { return sizeof(t_) * 8; }
struct log {
    template <class t_> log &operator<<(const t_ &) { return *this; }
};
}
#define VLOG(level) tapa::log()
#define LOG(level) tapa::log()
#define CHECK(condition) tapa::log()
#define CHECK_EQ(a, b) tapa::log()
#define CHECK_NE(a, b) tapa::log()
#define CHECK_LT(a, b) tapa::log()
#define CHECK_LE(a, b) tapa::log()
#define CHECK_GT(a, b) tapa::log()
#define CHECK_GE(a, b) tapa::log()
#define TAPA_WHILE_NOT_EOT(a) while ((a).goes_on())
#define TAPA_WHILE_NEITHER_EOT(a, b) while ((a).goes_on() && (b).goes_on())
#define TAPA_WHILE_NONE_EOT(a, b, c) while ((a).goes_on() && (b).goes_on() && (c).goes_on())
