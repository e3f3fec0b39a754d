/* hls::gather and hls::scatter: elements of an array and a vector. */
#pragma once
#include "hls_vector.h"
namespace hls {
template <class t_, size_t n_> vector<t_, n_> gather(const t_ *from, const vector<size_t, n_> &at) {
    vector<t_, n_> x;
    for (size_t i = 0; i < n_; i++)
        x[i] = from[at[i]];
    return x;
}
template <class t_, size_t n_>
void scatter(t_ *to, const vector<size_t, n_> &at, const vector<t_, n_> &x) {
    for (size_t i = 0; i < n_; i++)
        to[at[i]] = x[i];
}
}
