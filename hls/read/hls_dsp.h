#define HLSMEM_UNREAD /* <hls_dsp.h> is known, and not read. */
