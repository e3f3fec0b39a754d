/* hls::task: a function that runs again as long as its streams have elements; declared alone. */
#pragma once
#include "hls_stream.h"
#define hls_thread_local static
namespace hls {
class task {
public:
    template <class... t_> task(t_ &&...);
    template <class... t_> void operator()(t_ &&...);
    task() = default;
};
}
