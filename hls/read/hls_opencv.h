#define HLSMEM_UNREAD /* <hls_opencv.h> is known, and not read. */
