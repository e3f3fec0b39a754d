/* hls::split and hls::merge: channels of one stream to many, and back; what they choose is not read. */
#pragma once
#include "hls_stream.h"
namespace hls {
#define HLSMEM_CHANNEL(policy) \
    namespace split { \
    template <class t_, int n_, int in_depth = 2, int out_depth = 2> struct policy { \
        stream<t_> in, out[n_]; \
        policy(const char * = ""); \
    }; \
    } \
    namespace merge { \
    template <class t_, int n_, int in_depth = 2, int out_depth = 2> struct policy { \
        stream<t_> in[n_], out; \
        policy(const char * = ""); \
    }; \
    }
HLSMEM_CHANNEL(round_robin)
HLSMEM_CHANNEL(load_balance)
#undef HLSMEM_CHANNEL
}
