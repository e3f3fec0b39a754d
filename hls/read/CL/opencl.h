#define HLSMEM_UNREAD /* <CL/opencl.h> is known, and not read. */
