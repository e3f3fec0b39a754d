/* Functions of SmartHLS that state structure; none has a value of its own. */
#pragma once
#include <type_traits>
#include <utility>
#include "hls/ap_int.hpp"
namespace hls {
template <class t_> t_ hls_reg(t_ x) { return x; }
template <class t_> t_ hls_reg(t_ x, int) { return x; }
}
