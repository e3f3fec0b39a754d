/* Of hls_video.h the window and the line buffer. */
#pragma once
#include "ap_int.h"
#include "hls_stream.h"
#include "hls_video_mem.h"
