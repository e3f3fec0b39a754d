#define HLSMEM_UNREAD /* <hls_signal.h> is known, and not read. */
