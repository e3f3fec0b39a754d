/* In place of hls/include/hlsmem_fifo.h: queues of so many words as the text gives them, between
   tasks that are threads. What an iteration reads leaves its queue at the end of the iteration, as
   hardware takes all operands at once. A run in which all wait ends with status 3. */
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define HLSMEM_ASIDE

namespace hlsmem {

struct tasks {
    std::mutex lock;
    std::condition_variable changed;
    long turn = 0, waiting = 0, running = 1;
};
inline tasks &all() {
    static tasks own;
    return own;
}
inline void stop_if_stuck() {
    if (all().running && all().waiting == all().running) {
        fputs("\nhlsmem: all tasks wait\n", stderr);
        fflush(stderr);
        _exit(3);
    }
}
inline void go_on() {
    all().turn++;
    all().waiting = 0;
    all().changed.notify_all();
}
template <class f_> void wait_until(std::unique_lock<std::mutex> &held, f_ ready) {
    while (!ready()) {
        long turn = all().turn;
        all().waiting++;
        stop_if_stuck();
        all().changed.wait(held, [&] { return all().turn != turn; });
    }
}

/* The places of what the iteration of a task has read. */
inline std::vector<size_t *> &taken() {
    static thread_local std::vector<size_t *> own;
    return own;
}
inline void next() {
    if (taken().empty())
        return;
    std::unique_lock<std::mutex> held(all().lock);
    for (size_t *one : taken())
        --*one;
    taken().clear();
    go_on();
}

/* A DATAFLOW region: its calls run at once, and it ends with the last of them. */
class region {
    std::vector<std::thread> own;

public:
    template <class f_> void task(f_ call) {
        std::unique_lock<std::mutex> held(all().lock);
        all().running++;
        own.emplace_back([call] {
            call();
            next();
            std::unique_lock<std::mutex> held(all().lock);
            all().running--;
            go_on();
        });
    }
    void join() {
        {
            std::unique_lock<std::mutex> held(all().lock);
            all().running--;
            stop_if_stuck();
        }
        for (auto &one : own)
            one.join();
        own.clear();
        std::unique_lock<std::mutex> held(all().lock);
        all().running++;
    }
};

inline void dataflow() {}
template <class t_, int d_> struct depth {};

template <class t_, int d_ = 0> class fifo {
    std::deque<t_> own;
    t_ *outside;
    size_t written, kept;

public:
    typedef t_ value_type;
    size_t room = (size_t)-1;
    fifo(const fifo &) = delete;
    fifo &operator=(const fifo &) = delete;
    explicit fifo(const char * = "") : outside(0), written(0), kept(0) {}
    explicit fifo(int) : fifo("") {}
    fifo(t_ *memory, size_t, size_t many) : outside(memory), written(0), kept(0) {
        for (size_t k = 0; k < many; k++)
            own.push_back(memory[k]);
        written = many;
    }
    bool empty() const { return own.empty(); }
    bool full() const { return own.size() >= room; }
    size_t size() const { return own.size(); }
    t_ read() {
        std::unique_lock<std::mutex> held(all().lock);
        wait_until(held, [&] { return !own.empty(); });
        t_ x = own.front();
        own.pop_front();
        kept++;
        taken().push_back(&kept);
        return x;
    }
    void read(t_ &x) { x = read(); }
    void write(t_ x) {
        std::unique_lock<std::mutex> held(all().lock);
        if (outside)
            outside[written++] = x;
        wait_until(held, [&] { return own.size() + kept < room; });
        own.push_back(x);
        go_on();
    }
    bool read_nb(t_ &x) {
        if (empty())
            return false;
        read(x);
        return true;
    }
    bool write_nb(t_ x) {
        write(x);
        return true;
    }
};
struct turns {};

} // namespace hlsmem

#define HLSMEM_STREAM(name) \
    hlsmem::fifo<t_> q; \
    friend struct hlsmem::turns; \
\
public: \
    typedef t_ value_type; \
    explicit name(const char * = "") {} \
    name(t_ *memory, size_t room, size_t written) : q(memory, room, written) {} \
    void hlsmem_room(size_t words) { q.room = words; } \
    t_ read() { return q.read(); } \
    void write(t_ x) { q.write(x); } \
    bool empty() { return q.empty(); } \
    bool full() { return q.full(); }
