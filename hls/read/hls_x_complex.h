#define HLSMEM_UNREAD /* <hls_x_complex.h> is known, and not read. */
