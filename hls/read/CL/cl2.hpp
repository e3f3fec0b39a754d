#define HLSMEM_UNREAD /* <CL/cl2.hpp> is known, and not read. */
