#define HLSMEM_UNREAD /* <hls_fft.h> is known, and not read. */
