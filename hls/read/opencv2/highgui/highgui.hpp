#define HLSMEM_UNREAD /* <opencv2/highgui/highgui.hpp> is known, and not read. */
