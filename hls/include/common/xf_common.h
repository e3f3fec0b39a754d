/* xf::Mat of xfOpenCV; all else is the library's own, where that is there. */
#ifndef HLSMEM_XF_COMMON_H
#define HLSMEM_XF_COMMON_H
#include "hls_half.h"
#include "hls_stream.h"
#ifndef XF_USE_URAM
#define XF_USE_URAM false
#endif
#if __has_include("common/xf_structs.h")
#include "common/xf_params.h"
#include "common/xf_types.h"
#define Mat vendors_mat
#include "common/xf_structs.h"
#undef Mat
#else
#include "hlsmem_pixels.h"
#endif
#define HLSMEM_MORE
namespace xf {
#include "hlsmem_mat.h"
}
#endif
