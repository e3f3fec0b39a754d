/* Memory of SmartHLS that processor and accelerator both reach. */
#pragma once
#include <stdlib.h>
enum hls_alloc_type { HLS_ALLOC_CACHED, HLS_ALLOC_NONCACHED, HLS_ALLOC_NONCACHED_WCB };
static inline void *hls_malloc(size_t n, hls_alloc_type = HLS_ALLOC_CACHED) { return malloc(n); }
static inline void hls_free(void *at) { free(at); }
