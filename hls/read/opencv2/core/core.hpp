#define HLSMEM_UNREAD /* <opencv2/core/core.hpp> is known, and not read. */
