#define HLSMEM_UNREAD /* <hls_sincos.h> is known, and not read. */
