#define HLSMEM_UNREAD /* <hls_linear_algebra.h> is known, and not read. */
