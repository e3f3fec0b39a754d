#define HLSMEM_UNREAD /* <hls_fir.h> is known, and not read. */
