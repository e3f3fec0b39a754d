#define HLSMEM_UNREAD /* <opencv2/imgproc/imgproc.hpp> is known, and not read. */
