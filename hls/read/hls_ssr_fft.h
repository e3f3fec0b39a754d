#define HLSMEM_UNREAD /* <hls_ssr_fft.h> is known, and not read. */
