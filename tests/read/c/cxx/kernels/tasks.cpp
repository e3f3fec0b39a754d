/* Two tasks of a kind: each gets its number, its streams, and what both get. */
#include <tapa.h>
void one(int k, tapa::istream<int> &in, tapa::ostream<int> &out) {
    for (int i = 0; i < 16; i++)
        out.write(in.read() + k);
}
void load(const int *in, tapa::ostreams<int, 2> &to) {
    for (int i = 0; i < 16; i++) {
        to[0].write(in[2 * i]);
        to[1].write(in[2 * i + 1]);
    }
}
void store(tapa::istreams<int, 2> &from, int *out) {
    for (int i = 0; i < 16; i++) {
        out[2 * i] = from[0].read();
        out[2 * i + 1] = from[1].read();
    }
}
void tasks(tapa::mmap<int> in, tapa::mmap<int> out) {
    tapa::streams<int, 2> a("a"), b("b");
    tapa::task()
        .invoke(load, in, a)
        .invoke<tapa::join, 2>(one, tapa::seq(), a, b)
        .invoke(store, b, out);
}
