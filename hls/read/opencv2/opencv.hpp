#define HLSMEM_UNREAD /* <opencv2/opencv.hpp> is known, and not read. */
