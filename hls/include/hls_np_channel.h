/* hls::split and hls::merge: channels of one stream to many, and back. A channel of load balance
   depends on when its streams are asked: it has no constructor, and is not read. */
#pragma once
#include "hls_stream.h"
namespace hls {
namespace split {
template <class t_, int n_, int in_depth = 2, int out_depth = 2>
using round_robin = hlsmem::split<stream<t_>, n_>;
template <class t_, int n_, int in_depth = 2, int out_depth = 2> struct load_balance {
    stream<t_> in, out[n_];
    load_balance(const char * = "");
};
}
namespace merge {
template <class t_, int n_, int in_depth = 2, int out_depth = 2>
using round_robin = hlsmem::merge<stream<t_>, n_>;
template <class t_, int n_, int in_depth = 2, int out_depth = 2> struct load_balance {
    stream<t_> in[n_], out;
    load_balance(const char * = "");
};
}
}
