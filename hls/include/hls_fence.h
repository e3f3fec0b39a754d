/* hls::fence: statements keep their order without. */
#pragma once
namespace hls {
template <class... t_> void fence(t_ &&...) {}
}
