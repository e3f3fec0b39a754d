#define HLSMEM_UNREAD /* <CL/cl.h> is known, and not read. */
