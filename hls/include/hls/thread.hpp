/* hls::thread: a function that runs beside others; here where the thread is made. */
#pragma once
#include <functional>
namespace hls {
using std::ref;
template <class t_> class thread {
    t_ value;

public:
    template <class f_, class... a_> thread(f_ &&f, a_ &&...a) : value(f(a...)) {}
    t_ join() { return value; }
};
template <> class thread<void> {
public:
    thread() = default;
    template <class f_, class... a_> thread(f_ &&f, a_ &&...a) { f(a...); }
    void join() {}
};
}
