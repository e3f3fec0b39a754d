/* xf::cv::Mat of Vitis Vision; all else is the library's own, where that is there. */
#ifndef HLSMEM_XF_COMMON_HPP
#define HLSMEM_XF_COMMON_HPP
#include "hls_half.h"
#include "hls_stream.h"
#if __has_include("common/xf_structs.hpp")
#include "common/xf_params.hpp"
#include "common/xf_types.hpp"
#define Mat vendors_mat
#include "common/xf_structs.hpp"
#undef Mat
#else
#include "hlsmem_pixels.h"
#endif
#define HLSMEM_MORE , int cvdepth_ = -1
namespace xf {
namespace cv {
#include "hlsmem_mat.h"
}
}
#endif
